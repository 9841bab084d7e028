/**
 * The token of a login, renewed when it is about to end. Providers take a refresh token once, so of
 * several commands at the same time one renews the login and the others wait for it.
 */
import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../shell/errors.ts";
import { keepLogin, type Login, loginFile, readLogins } from "../client/login-file.ts";
import { LOGIN_LIMITS } from "./login-limits.ts";
import { findProvider, readHanded, sendForm } from "./provider.ts";

const LOOK_MS = 50;

export const freshToken = async (server: string): Promise<string> =>
  (await freshLogin(server)).idToken;

export async function freshLogin(server: string): Promise<Login> {
  const login = loginAt(server);
  if (!isEnding(login)) return login;
  const unlock = await lock();
  try {
    const now = loginAt(server);
    return isEnding(now) ? await renew(now) : now;
  } finally {
    unlock();
  }
}

const isEnding = ({ expiresMs }: Login): boolean =>
  expiresMs - Date.now() < LOGIN_LIMITS.renewMs.value;

function loginAt(server: string): Login {
  const login = readLogins().find((each) => each.server === server);
  if (login !== undefined) return login;
  throw new UserError("login-failed", `There is no login for ${server}: run \`berth login\`.`);
}

async function renew(login: Login): Promise<Login> {
  const { refreshToken, issuer, issuerCa: ca, clientId, server, scopes } = login;
  if (refreshToken === undefined) {
    throw new UserError("login-failed", `The login at ${server} has ended: run \`berth login\`.`);
  }
  const provider = await findProvider({ issuer, ca, clientId });
  const answer = await sendForm(provider, provider.tokenUrl, {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    client_id: clientId,
    scope: scopes,
  });
  if (answer["error"] === "invalid_grant") {
    throw new UserError("login-failed", `The login at ${server} has ended: run \`berth login\`.`);
  }
  const renewed = { ...login, ...readHanded(provider, answer) };
  keepLogin(server, renewed);
  return renewed;
}

/** Returns how to unlock. A lock that is left behind counts no longer than a renewal takes. */
async function lock(): Promise<() => void> {
  const file = `${loginFile()}.lock`;
  const endMs = performance.now() + LOGIN_LIMITS.lockMs.value;
  const unlock = (): void => rmSync(file, { force: true });
  for (;;) {
    try {
      closeSync(openSync(file, "wx", 0o600));
      return unlock;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (performance.now() > endMs || isLeft(file)) unlock();
    else await sleep(LOOK_MS);
  }
}

function isLeft(file: string): boolean {
  try {
    return Date.now() - statSync(file).mtimeMs > LOGIN_LIMITS.lockMs.value;
  } catch {
    return false;
  }
}
