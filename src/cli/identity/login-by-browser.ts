/**
 * The authorization code flow with PKCE (RFC 7636, RFC 8252): the person logs in with a browser,
 * which hands a code to a port of this machine. Only this process has the verifier that turns the
 * code into tokens.
 */
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { UserError } from "../../shell/errors.ts";
import { deferred } from "../deferred.ts";
import type { Terminal } from "../main.ts";
import { LOGIN_LIMITS } from "./login-limits.ts";
import { type Handed, type Provider, readHanded, sendForm } from "./provider.ts";

export interface LoginOf {
  readonly provider: Provider;
  readonly scopes: string;
  /** Whether to start the person's browser. */
  readonly opens: boolean;
  readonly terminal: Terminal;
}

const random = (): string => randomBytes(32).toString("base64url");

export async function loginByBrowser({
  provider,
  scopes,
  opens,
  terminal,
}: LoginOf): Promise<Handed> {
  const { authorizeUrl, clientId, tokenUrl, issuer } = provider;
  if (authorizeUrl === undefined) {
    throw new UserError("login-failed", `${issuer} has no page to log in; use --device.`);
  }
  const [verifier, state, nonce] = [random(), random(), random()];
  const answered = deferred<string | UserError>();
  const server = await listenFor(state, answered);
  try {
    const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
    const url = new URL(authorizeUrl);
    const asked = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirect,
      scope: scopes,
      state,
      nonce,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    terminal.err(`Log in with this address:\n  ${url.href}\n`);
    if (opens) openBrowser(url.href);
    const code = await withDeadline(answered.promise);
    if (code instanceof UserError) throw code;
    const form = {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirect,
      client_id: clientId,
      code_verifier: verifier,
    };
    return readHanded(provider, await sendForm(provider, tokenUrl, form), nonce);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

type Answered = ReturnType<typeof deferred<string | UserError>>;

/** A page that knows no state of ours may ask as often as it likes: it gets no further. */
function listenFor(state: string, answered: Answered): Promise<Server> {
  const server = createServer((request: IncomingMessage, reply: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const say = (status: number, text: string): void => {
      const headers = { "content-type": "text/plain; charset=utf-8", connection: "close" };
      reply.writeHead(status, headers).end(`${text}\n`);
    };
    if (pathname !== "/callback" || searchParams.get("state") !== state) {
      say(404, "This address waits for a login that berth has started.");
      return;
    }
    const code = searchParams.get("code");
    if (code !== null && code !== "") {
      say(200, "Logged in: go back to your terminal.");
      answered.resolve(code);
      return;
    }
    say(400, "The login was refused: see your terminal.");
    const why = (searchParams.get("error") ?? "no code").slice(0, 200);
    answered.resolve(new UserError("login-failed", `The provider refused the login: ${why}.`));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

async function withDeadline(promise: Promise<string | UserError>): Promise<string | UserError> {
  const late = deferred<UserError>();
  const { value } = LOGIN_LIMITS.waitMs;
  const error = new UserError("login-failed", `No login within ${value / 60_000} minutes.`);
  const timer = setTimeout(() => late.resolve(error), value);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A machine without a browser has the address on its terminal. */
function openBrowser(url: string): void {
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  const browser = spawn(program, [url], { stdio: "ignore", detached: true });
  browser.once("error", () => undefined);
  browser.unref();
}
