/**
 * JSON patch, RFC 6902: a list of operations, all of which succeed or none. A short patch can copy
 * a value into itself again and again, so all that its operations copy, add, compare and move is
 * counted against one budget.
 */
import { ApiError } from "../errors.ts";
import { BODY } from "../http/body-limits.ts";
import { copyValue, isSameWithin } from "../http/copy-value.ts";
import { echoed } from "../http/echoed.ts";
import { isJsonObject, nestsDeeperThan, shownValue } from "../http/json-value.ts";
import { WorkBudget } from "../http/work-budget.ts";

/** The document itself, and a name for each level below it. */
const PARTS_MOST = BODY.depth + 1;

type Container = Record<string, unknown> | unknown[];

/** The document, as the field "" of an object, and what may still be done to it. */
interface Patching {
  readonly root: { "": unknown };
  readonly budget: WorkBudget;
}

export const patchBudget = (): WorkBudget =>
  new WorkBudget(BODY.patchWork, () =>
    failed(
      `its operations copy, add, compare and move more than ${BODY.patchWork} bytes together; replace the object instead`,
    ),
  );

export function applyJsonPatch(
  document: unknown,
  patch: unknown,
  budget: WorkBudget = patchBudget(),
): unknown {
  if (!Array.isArray(patch)) {
    throw new ApiError("bad-request", "A JSON patch is a list of operations.");
  }
  if (patch.length > BODY.patchOperations) {
    throw failed(`it has ${patch.length} operations; at most ${BODY.patchOperations} are allowed`);
  }
  // The caller's document stays as it is, whatever operation fails half way.
  const patching = { root: { "": structuredClone(document) }, budget };
  for (const operation of patch) perform(patching, operation);
  if (nestsDeeperThan(patching.root[""], BODY.depth)) throw tooDeep();
  return patching.root[""];
}

function perform({ root, budget }: Patching, operation: unknown): void {
  if (!isJsonObject(operation) || typeof operation["path"] !== "string") {
    throw new ApiError("bad-request", "Each operation of a JSON patch has an op and a path.");
  }
  const path = parsePointer(operation["path"]);
  // The operation keeps its value: a patch that meets another write is applied again.
  const copied = (value: unknown): unknown =>
    copyValue(value, budget, { levels: BODY.depth, tooDeep });
  switch (operation["op"]) {
    case "add":
      return add({ root, budget }, path, copied(valueOf(operation)));
    case "remove":
      return void remove({ root, budget }, path);
    case "replace":
      remove({ root, budget }, path);
      return add({ root, budget }, path, copied(valueOf(operation)));
    case "move": {
      const from = parsePointer(operation["from"]);
      if (path.length > from.length && from.every((part, at) => part === path[at])) {
        throw failed(`cannot move ${shown(from)} into itself`);
      }
      return add({ root, budget }, path, remove({ root, budget }, from));
    }
    case "copy":
      return add({ root, budget }, path, copied(get(root, parsePointer(operation["from"]))));
    case "test":
      if (!isSameWithin(get(root, path), valueOf(operation), budget)) {
        throw failed(`the test of ${shown(path)} failed: another value was found there`);
      }
      return;
    default:
      throw new ApiError(
        "bad-request",
        `A JSON patch cannot "${shownValue(operation["op"])}": use add, remove, replace, move, copy or test.`,
      );
  }
}

function valueOf(operation: Readonly<Record<string, unknown>>): unknown {
  if (!Object.hasOwn(operation, "value")) {
    throw new ApiError(
      "bad-request",
      `The operation ${shownValue(operation["op"])} needs a value.`,
    );
  }
  return operation["value"];
}

function parsePointer(pointer: unknown): readonly string[] {
  if (typeof pointer !== "string" || (pointer !== "" && !pointer.startsWith("/"))) {
    throw new ApiError(
      "bad-request",
      `"${shownValue(pointer)}" is not a JSON pointer: it begins with "/".`,
    );
  }
  // No object nests deeper, and a megabyte of slashes would be as many parts.
  const written = pointer.split("/", PARTS_MOST + 1);
  if (written.length > PARTS_MOST) {
    throw failed(`the path ${echoed(pointer, 60)} names more than ${BODY.depth} levels`);
  }
  const parts = written.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (parts.includes("__proto__")) throw failed("the field name __proto__ is not allowed");
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

function add({ root, budget }: Patching, path: readonly string[], value: unknown): void {
  const parent = parentOf(root, path);
  const last = path.at(-1) ?? "";
  budget.spend(last.length);
  if (!Array.isArray(parent)) {
    parent[last] = value;
    return;
  }
  if (last === "-") {
    parent.push(value);
    return;
  }
  const at = index(parent, last, path, 1);
  // Every element behind it moves.
  budget.spend(parent.length - at);
  parent.splice(at, 0, value);
}

function remove({ root, budget }: Patching, path: readonly string[]): unknown {
  const parent = parentOf(root, path);
  const last = path.at(-1) ?? "";
  if (Array.isArray(parent)) {
    const at = index(parent, last, path, 0);
    budget.spend(parent.length - at);
    return parent.splice(at, 1)[0];
  }
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

const shown = (path: readonly string[]): string => echoed(path.join("/") || "/");
const tooDeep = (): ApiError => failed(`the object would nest deeper than ${BODY.depth} levels`);
const missing = (path: readonly string[]): ApiError => failed(`there is nothing at ${shown(path)}`);
const failed = (why: string): ApiError =>
  ApiError.worded("invalid-object", `The JSON patch was not applied: ${why}.`);
