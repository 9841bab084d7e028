/** The token that a request to a plane carries; a login is renewed when it is about to end. */
import type { Server } from "./find-server.ts";

export async function bearerOf({ token, login }: Server): Promise<string | undefined> {
  if (token !== undefined || login === undefined) return token;
  // Loaded only here: most commands need no login.
  const { freshToken } = await import("../identity/fresh-token.ts");
  return freshToken(login.server);
}
