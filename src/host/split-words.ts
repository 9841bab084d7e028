/**
 * From format 2 of the contents to format 3, where three words of several meanings were split: the
 * kind Budget is RecoveryBudget, a reservation says what it is for, and the command `release` frees
 * replicas only. Operation ids keep their verbs; of them only the key of a Budget changes. Texts
 * and maps of users stay as they are.
 */
import { USER_MAPS } from "./earlier-words.ts";

/** Those that hold an object's key, or begin with one, as an operation id does after its verb. */
const KEYS: ReadonlySet<string> = new Set([
  "key",
  "operation",
  // Of evidence: the budget that is over.
  "budget",
  // Of a rejection.
  "field",
  "expected",
  "actual",
]);

type Fields = Readonly<Record<string, unknown>>;

export function withSplitWords(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withSplitWords);
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => [
    name,
    fieldOf(name, field),
  ]);
  return whole(Object.fromEntries(fields) as Fields);
}

function fieldOf(name: string, field: unknown): unknown {
  if (typeof field === "string") {
    if (name === "kind") return field === "Budget" ? "RecoveryBudget" : field;
    return KEYS.has(name) ? splitKey(field) : field;
  }
  if (name === "operations" && Array.isArray(field)) return field.map(keptOperation);
  return USER_MAPS.has(name) && !Array.isArray(field) ? field : withSplitWords(field);
}

/** The key of a recovery budget, alone or after the verb of an operation. */
export const splitKey = (text: string): string =>
  text.replace(/^([a-z-]+\/)?Budget\/\//, "$1RecoveryBudget//");

/** The same text as a build of format 2 wrote it, and as its random choices were keyed by it. */
export const joinedKey = (text: string): string =>
  text.replace(/^([a-z-]+\/)?RecoveryBudget\/\//, "$1Budget//");

/** What is seen of an intent, a commit or an object only when it is whole. */
function whole(fields: Fields): Fields {
  const { kind, command, key, changes, evidence, spec } = fields;
  if (kind === "release" && typeof key === "string" && evidence !== undefined) {
    return { ...fields, kind: commandFor(key) };
  }
  if (command === "release" && Array.isArray(changes)) {
    const [first] = changes as readonly { readonly key: string }[];
    return { ...fields, command: commandFor(first?.key ?? "") };
  }
  return kind === "Reservation" && isFields(spec) ? { ...fields, spec: saidFor(spec) } : fields;
}

function commandFor(key: string): "release" | "unreserve" | "expire" {
  if (key.startsWith("Reservation/")) return "unreserve";
  return key.startsWith("Replica/") || key === "" ? "release" : "expire";
}

/** `[id, { revision, command }]` of a snapshot, which does not say what the command changed. */
function keptOperation(kept: unknown): unknown {
  const [id, known] = Array.isArray(kept) ? (kept as readonly unknown[]) : [];
  if (typeof id !== "string" || !isFields(known)) return withSplitWords(kept);
  const command = known["command"] === "release" ? commandBy(id) : known["command"];
  return [splitKey(id), { ...known, command }];
}

function commandBy(operation: string): "release" | "unreserve" | "expire" {
  if (/^(?:reclaim|unwind)\/Reservation\//.test(operation)) return "unreserve";
  const isExpiry = /^(?:expire|steady|give-up|release\/Lease)\//.test(operation);
  return isExpiry ? "expire" : "release";
}

function saidFor(spec: Fields): Fields {
  const { room } = spec;
  if ("for" in spec) return spec;
  if (!isFields(room)) return { ...spec, for: "quota" };
  const { purpose, ...place } = room;
  return { ...spec, for: purpose === "recovery" ? "recovery" : "preemptor", room: place };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
