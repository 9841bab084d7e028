/**
 * Takes other users' rights to what a plane or an agent keeps away, where an older version or a
 * hand left them. Only names that are Berth's own are touched, and a folder only when there is
 * nothing else in it: somebody may have given us a folder that is not ours alone. Links are not
 * followed, and working directories of replicas are left to them.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { dataFolderMode, OWNER_ONLY_FILE, OWNER_ONLY_FOLDER } from "./private-folder.ts";

/** What stands in the data folder of a plane, of `berth up` or of an agent. */
const OURS =
  /^(?:log\.db.*|plane\.json.*|up\.json.*|plane\.log.*|incident-shown|recording|planes|agents|etcd|node\.json.*|leash.*|(?:shim|launch|probe)\.sh.*|processes|agent\.log.*|audit|tokens?|(?:admin|agent)\.token|(?:loopback|signer)\.(?:crt|key).*|joins.*|node(?:-request)?\.pem.*)$/;
/** What stands in the folder of a recording, which may be anywhere. */
export const RECORDED = /^(?:chapter-\d+\.jsonl|[0-9a-f]{32}\.(?:json|claim)(?:\.part)?)$/;
/** A replica's own; its modes are the replica's business, and the folder is closed. */
const REPLICAS_OWN = "work";

/** How many files and folders were open to others. */
export function closeToOthers(folder: string, ours = OURS): number {
  const entries = namesIn(folder);
  const closed = entries.filter((name) => ours.test(name)).map((name) => close(join(folder, name)));
  const isOurs = entries.length > 0 && entries.every((name) => ours.test(name));
  return sum(closed) + (isOurs ? closeOne(folder) : 0);
}

/** In a sentence for the log; undefined when there was nothing to do. */
export function closedText(folder: string, closed: number): string | undefined {
  if (closed === 0) return undefined;
  return `Removed access of other users from ${closed} files and directories in ${folder}.`;
}

function close(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return closeOne(path);
  const below = namesIn(path).filter((name) => name !== REPLICAS_OWN);
  return sum(below.map((name) => close(join(path, name)))) + closeOne(path);
}

function closeOne(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || wanted(found) === undefined) return 0;
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const mode = wanted(fstatSync(file));
    if (mode !== undefined) fchmodSync(file, mode);
    return mode === undefined ? 0 : 1;
  } catch {
    // Removed meanwhile, or not readable for its owner either.
    return 0;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const ALL = 0o777;
const OTHERS = 0o077;

/** The mode that it should have; undefined when it has it, or is none of ours. */
function wanted(found: Stats): number | undefined {
  // Root's agents give a replica's environment to its user; that is closed to others as well.
  const own = process.getuid?.();
  if (own !== 0 && found.uid !== own) return undefined;
  if (found.isFile()) {
    return (found.mode & OTHERS) === 0 ? undefined : found.mode & OWNER_ONLY_FILE;
  }
  if (!found.isDirectory()) return undefined;
  // To pass through is all that others may need, and only with root's agents.
  const allowed = found.mode & ALL & (dataFolderMode() | OWNER_ONLY_FOLDER);
  return allowed === (found.mode & ALL) ? undefined : allowed;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
