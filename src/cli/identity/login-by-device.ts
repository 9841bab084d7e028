/**
 * The device flow (RFC 8628): the person logs in on any machine and types a code there, while this
 * process asks the provider at its pace whether that has happened.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../shell/errors.ts";
import { LOGIN_LIMITS } from "./login-limits.ts";
import type { LoginOf } from "./login-by-browser.ts";
import { type Handed, readHanded, sendForm } from "./provider.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** As RFC 8628 says where the provider says nothing. */
const USUAL_PAUSE_S = 5;
const MOST_PAUSE_S = 60;

export async function loginByDevice({ provider, scopes, terminal }: LoginOf): Promise<Handed> {
  const { deviceUrl, clientId: client_id, tokenUrl, issuer } = provider;
  if (deviceUrl === undefined) {
    throw new UserError("login-failed", `${issuer} has no device flow; leave out --device.`);
  }
  const begun = await sendForm(provider, deviceUrl, { client_id, scope: scopes });
  const { device_code: code, user_code: shown, verification_uri: page } = begun;
  if (typeof code !== "string" || typeof shown !== "string" || typeof page !== "string") {
    throw new UserError("login-failed", `${issuer} sent no code to type.`);
  }
  terminal.err(`Open ${page} and type the code ${shown}\n`);
  let pauseS = secondsOf(begun["interval"]);
  const endMs = performance.now() + LOGIN_LIMITS.waitMs.value;
  while (performance.now() < endMs) {
    await sleep(pauseS * 1_000);
    const form = { grant_type: GRANT, device_code: code, client_id };
    const answer = await sendForm(provider, tokenUrl, form);
    if (answer["error"] === "slow_down") pauseS = Math.min(pauseS + USUAL_PAUSE_S, MOST_PAUSE_S);
    else if (answer["error"] !== "authorization_pending") return readHanded(provider, answer);
  }
  throw new UserError("login-failed", "The code was not typed in time: start again.");
}

const secondsOf = (value: unknown): number =>
  typeof value === "number" && value >= 0 ? Math.min(value, MOST_PAUSE_S) : USUAL_PAUSE_S;
