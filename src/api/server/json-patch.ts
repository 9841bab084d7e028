/** JSON patch, RFC 6902: a list of operations, all of which succeed or none. */
import { sameValue } from "../../core/commit/judge/same-value.ts";
import { ApiError } from "../errors.ts";
import { isJsonObject } from "./json-value.ts";

/** Kubernetes' own limit; a patch of more operations should have been a replace. */
const OPERATIONS_MAX = 10_000;

type Container = Record<string, unknown> | unknown[];

export function applyJsonPatch(document: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) {
    throw new ApiError("bad-request", "A JSON patch is a list of operations.");
  }
  if (patch.length > OPERATIONS_MAX) {
    throw new ApiError("bad-request", `A JSON patch may have ${OPERATIONS_MAX} operations.`);
  }
  // The caller's document stays as it is, whatever operation fails half way.
  const root = { "": structuredClone(document) };
  for (const operation of patch) perform(root, operation);
  return root[""];
}

function perform(root: { "": unknown }, operation: unknown): void {
  if (!isJsonObject(operation) || typeof operation["path"] !== "string") {
    throw new ApiError("bad-request", "Each operation of a JSON patch has an op and a path.");
  }
  const path = parsePointer(operation["path"]);
  switch (operation["op"]) {
    case "add":
      return add(root, path, valueOf(operation));
    case "remove":
      return void remove(root, path);
    case "replace":
      remove(root, path);
      return add(root, path, valueOf(operation));
    case "move": {
      const from = parsePointer(operation["from"]);
      if (path.length > from.length && from.every((part, at) => part === path[at])) {
        throw failed(`cannot move ${shown(from)} into itself`);
      }
      return add(root, path, remove(root, from));
    }
    case "copy":
      return add(root, path, structuredClone(get(root, parsePointer(operation["from"]))));
    case "test":
      if (!sameValue(get(root, path), valueOf(operation))) {
        throw failed(`the test of ${shown(path)} failed: another value was found there`);
      }
      return;
    default:
      throw new ApiError(
        "bad-request",
        `A JSON patch cannot "${String(operation["op"])}": use add, remove, replace, move, copy or test.`,
      );
  }
}

function valueOf(operation: Readonly<Record<string, unknown>>): unknown {
  if (!Object.hasOwn(operation, "value")) {
    throw new ApiError("bad-request", `The operation ${String(operation["op"])} needs a value.`);
  }
  return operation["value"];
}

function parsePointer(pointer: unknown): readonly string[] {
  if (typeof pointer !== "string" || (pointer !== "" && !pointer.startsWith("/"))) {
    throw new ApiError(
      "bad-request",
      `"${String(pointer)}" is not a JSON pointer: it begins with "/".`,
    );
  }
  const parts = pointer.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (parts.includes("__proto__")) throw failed("no field may be called __proto__");
  return parts;
}

/** The container the last part of the path is in. The document itself is the field "" of `root`. */
function parentOf(root: { "": unknown }, path: readonly string[]): Container {
  let at: unknown = root;
  for (const part of path.slice(0, -1)) at = child(at, part, path);
  if (typeof at !== "object" || at === null) throw missing(path);
  return at as Container;
}

function child(container: unknown, part: string, path: readonly string[]): unknown {
  if (Array.isArray(container)) return container[index(container, part, path, 0)];
  if (isJsonObject(container) && Object.hasOwn(container, part)) return container[part];
  throw missing(path);
}

const get = (root: { "": unknown }, path: readonly string[]): unknown =>
  child(parentOf(root, path), path.at(-1) ?? "", path);

function add(root: { "": unknown }, path: readonly string[], value: unknown): void {
  const parent = parentOf(root, path);
  const last = path.at(-1) ?? "";
  if (!Array.isArray(parent)) parent[last] = value;
  else if (last === "-") parent.push(value);
  else parent.splice(index(parent, last, path, 1), 0, value);
}

function remove(root: { "": unknown }, path: readonly string[]): unknown {
  const parent = parentOf(root, path);
  const last = path.at(-1) ?? "";
  if (Array.isArray(parent)) return parent.splice(index(parent, last, path, 0), 1)[0];
  if (!Object.hasOwn(parent, last)) throw missing(path);
  const removed = parent[last];
  delete parent[last];
  return removed;
}

/** `beyond` is 1 where the place after the last element may be named too. */
function index(
  list: readonly unknown[],
  part: string,
  path: readonly string[],
  beyond: 0 | 1,
): number {
  const at = /^(?:0|[1-9]\d*)$/.test(part) ? Number(part) : Number.NaN;
  if (at < list.length + beyond) return at;
  throw missing(path);
}

const shown = (path: readonly string[]): string => path.join("/") || "/";
const missing = (path: readonly string[]): ApiError => failed(`there is nothing at ${shown(path)}`);
const failed = (why: string): ApiError =>
  ApiError.worded("invalid-object", `The JSON patch was not applied: ${why}.`);
