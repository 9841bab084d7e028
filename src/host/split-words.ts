/**
 * From format 2 of the contents to format 3, where two words of several meanings were split: the
 * kind Budget is RecoveryBudget, and a reservation says what it is for. Operation ids keep their
 * verbs; of them only the key of a Budget changes. Texts and maps of users stay as they are.
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

/** What is seen of an object only when it is whole. */
function whole(fields: Fields): Fields {
  const { kind, spec } = fields;
  return kind === "Reservation" && isFields(spec) ? { ...fields, spec: saidFor(spec) } : fields;
}

/** `[id, { revision, command }]` of a snapshot. */
function keptOperation(kept: unknown): unknown {
  const [id, ...known] = Array.isArray(kept) ? (kept as readonly unknown[]) : [];
  return typeof id === "string" ? [splitKey(id), ...known] : withSplitWords(kept);
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
