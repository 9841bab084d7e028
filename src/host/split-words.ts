/**
 * From format 2 of the contents to format 3, where the kind Budget is RecoveryBudget. Operation ids
 * keep their verbs; of them only the key of a Budget changes. Texts and maps of users stay as they
 * are.
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

export function withSplitWords(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withSplitWords);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => [name, fieldOf(name, field)]),
  );
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

/** `[id, { revision, command }]` of a snapshot. */
function keptOperation(kept: unknown): unknown {
  const [id, ...known] = Array.isArray(kept) ? (kept as readonly unknown[]) : [];
  return typeof id === "string" ? [splitKey(id), ...known] : withSplitWords(kept);
}
