/**
 * Where the plane is and how to be let in: from options, the environment, or the note of a local
 * plane.
 */
import { UserError } from "../../shell/errors.ts";
import { readInput } from "../../shell/read-input.ts";
import { parseServers } from "./parse-servers.ts";
import {
  type FoundNote,
  isOfOwnPlane,
  readNotedCertificates,
  readNotedToken,
  readPlaneNote,
} from "./plane-file.ts";
import { findLogin, type Login } from "./login-file.ts";
import { dataFolder, type ServerOptions } from "./server-options.ts";

export interface Server {
  /** One plane, or several that share a log; the first is asked first. */
  readonly urls: readonly URL[];
  readonly token: string | undefined;
  /**
   * The token is that of a plane which runs for this user: the name to act in is the user's to say.
   */
  readonly isOwner?: boolean;
  readonly ca: string | undefined;
  /** Certificates of planes that run for this user and speak TLS beside plain HTTP. */
  readonly ownCa?: string;
  /** Where no token was given: that of the person who has logged in at this plane. */
  readonly login?: Login;
  /** How we came to these addresses, for the message that no plane answered there. */
  readonly origin: string;
}

/** Not a port that others commonly use, so that no other server answers there by accident. */
export const DEFAULT_LISTEN = "127.0.0.1:6900";

export function findServer(options: ServerOptions): Server {
  const { text, origin, own } = addressFor(options);
  const urls = parseServers(text, origin);
  const tokenFile = options.tokenFile ?? process.env["BERTH_TOKEN_FILE"];
  const caFile = options.caFile ?? process.env["BERTH_CA_FILE"];
  // Only of the very plane that left the note: a token for one is no other's business.
  const isOwn = own !== undefined && isOfOwnPlane(own, urls);
  const ownToken = tokenFile === undefined && isOwn ? readNotedToken(own) : undefined;
  const ownCa = isOwn ? readNotedCertificates(own) : undefined;
  const hasToken = tokenFile !== undefined || ownToken !== undefined;
  const login = hasToken ? undefined : findLogin(urls);
  return {
    urls,
    token: tokenFile === undefined ? ownToken : readToken(tokenFile),
    ...(ownToken === undefined ? {} : { isOwner: true }),
    ...(login === undefined ? {} : { login }),
    ca: caFile === undefined ? login?.serverCa : readInput(caFile),
    ...(ownCa === undefined ? {} : { ownCa }),
    origin,
  };
}

interface Found {
  readonly text: string;
  readonly origin: string;
  /** Of the plane that runs for this user, if that is the one. */
  readonly own: FoundNote | undefined;
}

function addressFor(options: ServerOptions): Found {
  const folder = dataFolder(options);
  const own = readPlaneNote(folder);
  if (options.server !== undefined) return { text: options.server, origin: "--server", own };
  const fromEnvironment = process.env["BERTH_SERVER"];
  if (fromEnvironment !== undefined && fromEnvironment !== "") {
    return { text: fromEnvironment, origin: "$BERTH_SERVER", own };
  }
  if (own !== undefined) {
    return { text: (own.urls ?? [own.url]).join(","), origin: `${folder}/plane.json`, own };
  }
  return {
    text: `http://${DEFAULT_LISTEN}`,
    origin: `the default; no plane is recorded in ${folder}`,
    own,
  };
}

function readToken(file: string): string {
  const token = readInput(file).trim();
  // A header cannot carry anything else, and a file of several lines is the plane's list, not a
  // token.
  if (/^[\x21-\x7E]+$/.test(token)) return token;
  throw new UserError("invalid-file", "Expected exactly one token.", { file });
}
