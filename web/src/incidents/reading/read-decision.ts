/**
 * A decision as rows that can be shown: what was concluded, which rules turned how many away, what
 * the score is made of, what came next after the choice, and what ends a wait. A document may be of
 * another version, so nothing about its form is taken for granted; what has no row of its own is
 * kept as it is.
 */
import { reasonWords } from "../../../../src/api/views/wait-words.ts";

export interface ShownDecision {
  /** e.g. "proposes", "Waits: no node fits" */
  readonly verdict: string;
  readonly summary: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly rejected: readonly {
    readonly rule: string;
    readonly count: number;
    readonly example: string;
  }[];
  readonly parts: readonly { readonly name: string; readonly score: number }[];
  readonly alternatives: readonly { readonly name: string; readonly score: number }[];
  readonly wakes: readonly string[];
  /** When a wait is looked at again anyway. */
  readonly deadlineMs: number | undefined;
  readonly rest: string;
}

type Fields = Readonly<Record<string, unknown>>;

export function readDecision(value: unknown): ShownDecision | undefined {
  if (!isFields(value)) return undefined;
  const record = value;
  const decision = isFields(record["decision"]) ? record["decision"] : record;
  const because = isFields(decision["because"]) ? decision["because"] : decision;
  const kind = textOf(decision["kind"]);
  const reason = textOf(decision["reason"]);
  return {
    verdict: verdictOf(kind, reason),
    summary: textOf(because["summary"]) ?? "",
    facts: factsOf(record, decision, because),
    rejected: rejectedIn(because["rejected"]),
    parts: Object.entries(fieldsOf(because["parts"])).map(([name, score]) => ({
      name,
      score: Number(score),
    })),
    alternatives: listOf(because["alternatives"]).map((each) => ({
      name: textOf(each["name"]) ?? textOf(each["node"]) ?? "?",
      score: Number(each["score"]),
    })),
    wakes: wordsOf(decision["wakes"]),
    deadlineMs: typeof decision["deadlineMs"] === "number" ? decision["deadlineMs"] : undefined,
    rest: restOf([record, decision, because]),
  };
}

function verdictOf(kind: string | undefined, reason: string | undefined): string {
  if (kind === "propose") return "Proposes";
  if (kind === "settled") return "Settled";
  if (kind === "wait") return reason === undefined ? "Waits" : `Waits: ${reasonWords(reason)}`;
  return reason ?? kind ?? "Decision";
}

function factsOf(record: Fields, decision: Fields, because: Fields): [string, string][] {
  const operations = listOf(decision["intents"]).flatMap((each) => textOf(each["operation"]) ?? []);
  const queue = fieldsOf(because["queue"]);
  const found: [string, string | undefined][] = [
    ["controller", textOf(record["controller"])],
    ["on view revision", textOf(record["viewRevision"])],
    ["operation", operations.length === 0 ? undefined : operations.join(", ")],
    ["chosen", textOf(because["chosen"])],
    ["score", textOf(because["score"])],
    ["policy", textOf(because["policy"])],
    ["place in the queue", queueText(queue)],
    ...restartsIn(because["restarts"]),
  ];
  return found.flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
}

function queueText(queue: Fields): string | undefined {
  const total = textOf(queue["of"]);
  if (total === undefined) return undefined;
  const basis = textOf(queue["basis"]);
  return `${textOf(queue["position"]) ?? "not in the first places"} of ${total}${basis === undefined ? "" : `; ${basis}`}`;
}

const restartsIn = (value: unknown): [string, string][] =>
  listOf(value).map((each) => [
    `restart of ${textOf(each["replica"]) ?? "?"}`,
    `after ${textOf(each["failures"]) ?? "?"} ${each["failures"] === 1 ? "failure" : "failures"}, due at ${textOf(each["dueMs"]) ?? "?"} ms`,
  ]);

const rejectedIn = (value: unknown): ShownDecision["rejected"] =>
  Object.entries(fieldsOf(value))
    .map(([rule, each]) => ({
      rule,
      count: Number(fieldsOf(each)["count"] ?? each),
      example: textOf(fieldsOf(each)["example"]) ?? "",
    }))
    .toSorted((a, b) => b.count - a.count);

/** Of a record, of a decision, and of its reason. */
const KNOWN = new Set(
  [
    "controller key atMs viewRevision decision",
    "kind reason wakes deadlineMs because intents",
    "summary rejected chosen score parts policy queue restarts alternatives",
  ].flatMap((names) => names.split(" ")),
);

function restOf(all: readonly Fields[]): string {
  const rest = Object.fromEntries(
    all.flatMap((fields) => Object.entries(fields).filter(([name]) => !KNOWN.has(name))),
  );
  return Object.keys(rest).length === 0 ? "" : JSON.stringify(rest, undefined, 2);
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter((each): each is Fields => isFields(each)) : [];

const wordsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? `${value}`
    : undefined;
