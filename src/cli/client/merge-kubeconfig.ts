/**
 * Puts a context into a kubeconfig that is there already, and makes it the current one. Everything
 * else in the file stays as it was written; the file is for its owner alone.
 */
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type Document, isMap, isSeq, parseDocument, YAMLSeq } from "yaml";
import { UserError } from "../../shell/errors.ts";
import { OWNER_ONLY_FILE } from "../../shell/private-folder.ts";

export interface Kubeconfig {
  readonly clusters: readonly Named[];
  readonly users: readonly Named[];
  readonly contexts: readonly Named[];
  readonly "current-context": string;
}

interface Named {
  readonly name: string;
}

/** The file that kubectl writes to: the first of $KUBECONFIG, or the one in the home directory. */
export function kubeconfigFile(): string {
  const [first = ""] = (process.env["KUBECONFIG"] ?? "").split(delimiter).filter((part) => part);
  return first === "" ? join(homedir(), ".kube", "config") : first;
}

export function mergeKubeconfig(file: string, config: Kubeconfig): void {
  const document = parse(file, read(file));
  for (const list of ["clusters", "users", "contexts"] as const) {
    for (const entry of config[list]) put(document, list, entry);
  }
  document.set("current-context", config["current-context"]);
  write(file, document.toString({ lineWidth: 0 }));
}

function parse(file: string, text: string): Document {
  const document = parseDocument(text.trim() === "" ? "apiVersion: v1\nkind: Config\n" : text);
  const isConfig = document.errors.length === 0 && isMap(document.contents);
  if (isConfig && document.get("kind") === "Config") return document;
  throw new UserError("invalid-file", "It is not a kubeconfig, and stays as it is.", { file });
}

function put(document: Document, list: string, entry: Named): void {
  const there = document.get(list);
  const entries = isSeq(there) ? there : new YAMLSeq();
  if (entries !== there) document.set(list, entries);
  const at = entries.items.findIndex((item) => isMap(item) && item.get("name") === entry.name);
  const node = document.createNode(entry);
  if (at === -1) entries.add(node);
  else entries.set(at, node);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new UserError("unreadable-file", `${(error as Error).message}.`, { file });
  }
}

/** Renamed into place: a kubectl that runs meanwhile reads the old file or the new one. */
function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const target = resolved(file);
    const beside = `${target}.berth-${process.pid}`;
    writeFileSync(beside, text, { mode: OWNER_ONLY_FILE });
    renameSync(beside, target);
  } catch (error) {
    throw new UserError("unwritable-file", `${(error as Error).message}.`, { file });
  }
}

/** A link stays a link. */
function resolved(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
