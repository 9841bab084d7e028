/**
 * The logins of this user, one for each address of a plane, in a file that only the user reads. A
 * token is sent to the address at which the user has logged in, and to no other.
 */
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { chmodSync, mkdirSync } from "node:fs";
import { UserError } from "../../shell/errors.ts";
import { writeDurably } from "../../shell/write-durably.ts";
import { readOwnFile } from "./own-file.ts";

export interface Login {
  /** The origin of the plane's address. */
  readonly server: string;
  /** PEM; trusted for the plane. */
  readonly serverCa?: string;
  readonly issuer: string;
  /** PEM; trusted for the issuer. */
  readonly issuerCa?: string;
  readonly clientId: string;
  readonly scopes: string;
  readonly idToken: string;
  readonly expiresMs: number;
  readonly refreshToken?: string;
}

export function loginFile(): string {
  const base = process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
  return join(base, "berth", "logins.json");
}

export function readLogins(): readonly Login[] {
  const found = readOwnFile(loginFile(), process.getuid?.());
  if (found === undefined || found.owner !== process.getuid?.()) return [];
  try {
    const { logins } = JSON.parse(found.text) as { readonly logins?: readonly Login[] };
    return (logins ?? []).filter(({ server, idToken }) => typeof (server + idToken) === "string");
  } catch {
    const message = "It is not JSON: remove it, and run `berth login` again.";
    throw new UserError("invalid-file", message, { file: loginFile() });
  }
}

/** That of the first address that has one: the planes of one log accept the same callers. */
export function findLogin(urls: readonly URL[]): Login | undefined {
  const origins = urls.map(({ origin }) => origin);
  const met = readLogins().filter(({ server }) => origins.includes(server));
  // Of several planes each is sent the token, so each must be one that it is for.
  return origins.every((origin) => met.some(({ server }) => server === origin))
    ? met[0]
    : undefined;
}

/** With `undefined`, the login at this address is forgotten. */
export function keepLogin(server: string, login: Login | undefined): void {
  const others = readLogins().filter((each) => each.server !== server);
  const logins = login === undefined ? others : [...others, login];
  const file = loginFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  chmodSync(dirname(file), 0o700);
  writeDurably(file, `${JSON.stringify({ logins }, undefined, 2)}\n`);
}
