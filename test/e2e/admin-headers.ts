/** How a test asks a plane that runs for the user who started it: with the token that the plane made in its folder. */
import { readFileSync } from "node:fs";
import { ownTokensIn } from "../../src/cli/client/own-tokens.ts";

export const adminHeaders = (folder: string): { readonly authorization: string } => ({
  authorization: `Bearer ${readFileSync(ownTokensIn(folder).admin, "utf8").trim()}`,
});
