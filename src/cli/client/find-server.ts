/** Where the plane is and how to be let in: from options, the environment, or the note of a local plane. */
import { UserError } from "../errors.ts";
import { readInput } from "../read-input.ts";
import { parseServers } from "./parse-servers.ts";
import { readPlaneNote } from "./plane-file.ts";
import { dataFolder, type ServerOptions } from "./server-options.ts";

export interface Server {
  /** One plane, or several that share a log; the first is asked first. */
  readonly urls: readonly URL[];
  readonly token: string | undefined;
  readonly ca: string | undefined;
  /** How we came to these addresses, for the sentence that says nobody answered there. */
  readonly origin: string;
}

/** Not a port that others commonly use, so that nobody answers there by accident. */
export const DEFAULT_LISTEN = "127.0.0.1:6900";

export function findServer(options: ServerOptions): Server {
  const { text, origin } = addressFor(options);
  const tokenFile = options.tokenFile ?? process.env["BERTH_TOKEN_FILE"];
  const caFile = options.caFile ?? process.env["BERTH_CA_FILE"];
  return {
    urls: parseServers(text, origin),
    token: tokenFile === undefined ? undefined : readToken(tokenFile),
    ca: caFile === undefined ? undefined : readInput(caFile),
    origin,
  };
}

function addressFor(options: ServerOptions): { readonly text: string; readonly origin: string } {
  if (options.server !== undefined) return { text: options.server, origin: "--server" };
  const fromEnvironment = process.env["BERTH_SERVER"];
  if (fromEnvironment !== undefined && fromEnvironment !== "") {
    return { text: fromEnvironment, origin: "$BERTH_SERVER" };
  }
  const folder = dataFolder(options);
  const note = readPlaneNote(folder);
  if (note !== undefined) {
    return { text: (note.urls ?? [note.url]).join(","), origin: `${folder}/plane.json` };
  }
  return { text: `http://${DEFAULT_LISTEN}`, origin: `the default; ${folder} names no plane` };
}

function readToken(file: string): string {
  const token = readInput(file).trim();
  // A header cannot carry anything else, and a file of several lines is the plane's list, not a token.
  if (/^[\x21-\x7E]+$/.test(token)) return token;
  throw new UserError("invalid-file", "Expected one token and nothing else.", { file });
}
