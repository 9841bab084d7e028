/** Reads the dump of a Kubernetes cluster: files and folders of JSON, also packed, or one text. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { UserError } from "../shell/errors.ts";
import { KubeDump, NotADump } from "./kubernetes/dump.ts";
import { splitList } from "./split-list.ts";

/** The path that stands for standard input. */
const STDIN = "-";
const STDIN_FILE = 0;

export interface ReadDump {
  readonly dump: KubeDump;
  /** Files of a folder that hold no Kubernetes objects. */
  readonly skipped: readonly string[];
}

export function readDump(paths: readonly string[]): ReadDump {
  const dump = new KubeDump();
  const skipped: string[] = [];
  for (const path of paths) {
    const files = filesIn(path);
    for (const file of files) {
      // A file that was named must be right; a folder may hold other files, too.
      const isNamed = file === path;
      if (!addFile(dump, file, isNamed)) skipped.push(file);
    }
  }
  const counts = dump.counts();
  if ((counts.get("Node") ?? 0) === 0 || (counts.get("Pod") ?? 0) === 0) {
    const found = [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ") || "nothing";
    throw new UserError(
      "invalid-file",
      `An import needs nodes and pods; it found ${found}. ` +
        "Write them with: kubectl get nodes,pods,deployments,replicasets,statefulsets,daemonsets," +
        "jobs,pdb,priorityclasses,resourcequotas,namespaces,pv,pvc -A -o json",
      { file: paths.join(" ") },
    );
  }
  return { dump, skipped };
}

function filesIn(path: string): readonly string[] {
  if (path === STDIN) return [path];
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => /\.json(?:\.gz)?$/.test(name));
    return names.toSorted().map((name) => join(path, name));
  } catch (error) {
    throw unreadable(path, error);
  }
}

function addFile(dump: KubeDump, file: string, isNamed: boolean): boolean {
  const bytes = bytesOf(file);
  try {
    for (const value of valuesIn(bytes)) dump.add(value, file);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new UserError("invalid-file", `It is not JSON: ${reasonOf(error)}.`, { file });
    }
    if (!(error instanceof NotADump)) throw error;
    if (!isNamed) return false;
    throw new UserError("invalid-file", error.message, { file });
  }
}

/** Beyond this a text may be longer than a string can be: its objects are parsed one by one. */
const WHOLE_BYTES = 256 * 1024 * 1024;

function* valuesIn(bytes: Buffer): Generator {
  const list = bytes.length > WHOLE_BYTES ? splitList(bytes) : undefined;
  if (list === undefined) {
    yield JSON.parse(bytes.toString("utf8"));
    return;
  }
  const { head, items } = list;
  for (const item of items) yield { ...(head as object), items: [item] };
}

function bytesOf(file: string): Buffer {
  try {
    const bytes = readFileSync(file === STDIN ? STDIN_FILE : file);
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return isPacked ? gunzipSync(bytes) : bytes;
  } catch (error) {
    throw unreadable(file, error);
  }
}

const unreadable = (file: string, error: unknown): UserError =>
  new UserError("unreadable-file", `${reasonOf(error)}.`, { file });

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
