/**
 * The tokens of a plane that runs for the user who started it: nobody has to make or type any. In the plane's folder lie
 * `tokens`, the list of who may speak to it, and `admin.token`, the user's own token alone. Both are made at the first
 * start and readable by their owner only. An agent that the same user starts on this machine gets a line in the list,
 * with what it says of its node: whoever may read the list is the operator.
 */
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  fchmodSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { CannotRunError } from "../../shell/cannot-run-error.ts";
import { makeDataFolder } from "../../shell/private-folder.ts";
import type { ApiToken } from "../../api/http/token-registry.ts";
import type { NodeApproval } from "../../core/model/node-approval.ts";
import { UserError } from "../../shell/errors.ts";
import { approvalWords, parseTokens } from "../../serve/token-file.ts";

export interface OwnTokens {
  /** The plane's list. */
  readonly list: string;
  /** The user's token, alone. */
  readonly admin: string;
}

export const ownTokensIn = (folder: string): OwnTokens => ({
  list: resolve(folder, "tokens"),
  admin: resolve(folder, "admin.token"),
});

/** Others on this machine must not read it, and what others could have read is not trusted any more. */
const OWN_MODE = 0o600;
const BEYOND_OWN = 0o077;

const newToken = (): string => randomBytes(32).toString("hex");

/** Makes what is not there yet. Throws where the files are another user's, or cannot be written. */
export function ensureOwnTokens(folder: string): OwnTokens {
  const own = ownTokensIn(folder);
  makeOwnFolder(folder);
  const known = readOwn(own.list);
  const admin = known.find(({ kind }) => kind === "local");
  const token = admin?.token ?? newToken();
  if (admin === undefined) {
    writeOwn(
      own.list,
      `# Made by berth: who may speak to this plane.\nadmin ${userName()} ${token}\n`,
    );
  }
  writeOwn(own.admin, `${token}\n`);
  return own;
}

function makeOwnFolder(folder: string): void {
  try {
    makeDataFolder(folder);
  } catch (error) {
    if (!(error instanceof CannotRunError)) throw error;
    throw new UserError("bad-usage", error.message);
  }
}

/** Those in the list; none where there is no list, or where others could have read it. */
function readOwn(file: string): readonly ApiToken[] {
  try {
    const { mode, uid } = statSync(file);
    if (uid !== process.getuid?.()) {
      throw new UserError("unreadable-file", "It belongs to another user; expected your own.", {
        file,
      });
    }
    if ((mode & BEYOND_OWN) !== 0) return [];
    return parseTokens(readFileSync(file, "utf8"), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Renamed into place: nobody reads a part of it, and it is never readable by others, not even for a moment. */
function writeOwn(file: string, text: string): void {
  const beside = `${file}.${process.pid}`;
  try {
    rmSync(beside, { force: true });
    writeFileSync(beside, text, { mode: OWN_MODE, flag: "wx" });
    chmodSync(beside, OWN_MODE);
    renameSync(beside, file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("unwritable-file", `${reason}.`, { file });
  }
}

/** Names of users may have any form; a line of the list has none of white space. */
const userName = (): string => userInfo().username.replaceAll(/[^\x21-\x7E]/g, "_") || "admin";

export interface AgentDescription {
  readonly node: string;
  readonly approved: NodeApproval;
}

/** The token of a node's agent: the one that the list has, or a new one. */
export function ensureAgentToken(list: string, { node, approved }: AgentDescription): string {
  // It would cut the line, and with it what the plane reads of everybody.
  if (!/^\S+$/.test(node)) throw new UserError("bad-usage", `"${node}" is no name of a node.`);
  const words = approvalWords(approved);
  const known = readOwn(list).filter(({ kind, name }) => kind === "agent" && name === node);
  const last = known.at(-1);
  if (last !== undefined && approvalWords(last.approved ?? {}) === words) return last.token;
  // The last line about a token counts: the same token, with what the node is now.
  const token = last?.token ?? newToken();
  // In one write at the end: several agents may do this at once.
  const file = openSync(list, "a", OWN_MODE);
  try {
    fchmodSync(file, OWN_MODE);
    appendFileSync(file, `agent ${node} ${token}${words === "" ? "" : ` ${words}`}\n`);
  } finally {
    closeSync(file);
  }
  return token;
}

/** The same, in a file of the agent's own: its path is an argument, and the token is none. */
export function writeAgentToken(list: string, folder: string, of: AgentDescription): string {
  const token = ensureAgentToken(list, of);
  makeOwnFolder(folder);
  const file = join(resolve(folder), "agent.token");
  writeOwn(file, `${token}\n`);
  return file;
}
