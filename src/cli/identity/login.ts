/** `berth login` and `berth logout`: tokens of an OpenID provider for one plane. */
import type { Command } from "commander";
import { readInput } from "../../shell/read-input.ts";
import { UserError } from "../../shell/errors.ts";
import { isLoopback } from "../../api/http/authenticate.ts";
import { ApiClient } from "../client/api-client.ts";
import { findServer, type Server } from "../client/find-server.ts";
import { keepLogin, type Login, loginFile, readLogins } from "../client/login-file.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { loginByBrowser } from "./login-by-browser.ts";
import { loginByDevice } from "./login-by-device.ts";
import { findProvider } from "./provider.ts";
import { type Known, knownText } from "./whoami.ts";

interface LoginOptions extends ServerOptions {
  readonly issuer?: string;
  readonly clientId?: string;
  readonly issuerCa?: string;
  readonly scopes: string;
  readonly device?: boolean;
  readonly browser: boolean;
}

/** A refresh token needs `offline_access`; the others carry the claims that are usually mapped. */
const USUAL_SCOPES = "openid profile email groups offline_access";

export function registerLogin(program: Command, terminal: Terminal): void {
  const command = program
    .command("login")
    .description("log in at a plane with an OpenID provider")
    .option("--issuer <url>", "address of the provider (default: that of your last login here)")
    .option("--client-id <id>", "client that the provider knows berth by (default: as before)")
    .option("--issuer-ca <file>", "CA certificate to trust for the provider")
    .option("--scopes <names>", "scopes to ask for", USUAL_SCOPES)
    .option("--device", "log in on another machine, with a code that you type there")
    .option("--no-browser", "print the address and start no browser");
  addServerOptions(command).action((options: LoginOptions) => login(options, terminal));
}

export function registerLogout(program: Command, terminal: Terminal): void {
  const command = program.command("logout").description("forget the login at a plane");
  addServerOptions(command).action((options: ServerOptions) => {
    const server = originOf(findServer(options));
    keepLogin(server, undefined);
    terminal.out(`${loginFile()} has no login for ${server}.\n`);
  });
}

async function login(options: LoginOptions, terminal: Terminal): Promise<void> {
  const { issuerCa, scopes, device, browser: opens } = options;
  const found = findServer(options);
  const server = originOf(found);
  const before = readLogins().find((each) => each.server === server);
  const issuer = options.issuer ?? before?.issuer;
  const clientId = options.clientId ?? before?.clientId;
  if (issuer === undefined || clientId === undefined) {
    const message = "The first login at a plane needs --issuer and --client-id.";
    throw new UserError("bad-usage", message);
  }
  const ca = issuerCa === undefined ? before?.issuerCa : readInput(issuerCa);
  const provider = await findProvider({ issuer, ca, clientId });
  const of = { provider, scopes, opens, terminal };
  const handed = await (device === true ? loginByDevice(of) : loginByBrowser(of));
  const known: Login = {
    server,
    issuer,
    clientId,
    scopes,
    ...(ca === undefined ? {} : { issuerCa: ca }),
    ...(found.ca === undefined ? {} : { serverCa: found.ca }),
    ...handed,
  };
  // Not kept before the plane has accepted it: a wrong audience is seen here, and once.
  const { ca: serverCa, origin } = found;
  const asked: Server = { urls: [new URL(server)], token: handed.idToken, ca: serverCa, origin };
  const { user, groups } = await new ApiClient(asked).get<Known>("/whoami");
  keepLogin(server, known);
  const lasts = handed.refreshToken === undefined ? " It cannot be renewed." : "";
  terminal.out(`Logged in at ${server}.${lasts}\n${knownText({ user, groups })}`);
}

/** A token that others can read on the way is theirs. */
function originOf({ urls }: Server): string {
  const [url, ...others] = urls;
  if (url === undefined || others.length > 0) {
    throw new UserError(
      "bad-usage",
      "Log in at one plane at a time: name one address in --server.",
    );
  }
  if (url.protocol === "https:" || isLoopback(url.hostname.replaceAll(/[[\]]/g, ""))) {
    return url.origin;
  }
  const message = `${url.origin} is plain HTTP, and the token would be sent in clear: use https.`;
  throw new UserError("bad-usage", message);
}
