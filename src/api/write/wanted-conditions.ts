/**
 * From the status a client sent to the conditions it wants kept, or to every mistake in it.
 * Everything else of a status is the plane's: sent back as it is shown, it is passed over; sent
 * with another value, it is refused, because a client that believes it has written it would be
 * wrong.
 */
import { CONDITIONS_MAX } from "../../core/commit/validate/well-formed.ts";
import { sameValue } from "../../core/commit/validate/same-value.ts";
import type { ClientCondition } from "../../core/model/client-condition.ts";
import type { ApiKind, FieldMistake } from "../api-kind.ts";
import { fieldOf, isJsonObject, type JsonObject, shownValue } from "../http/json-value.ts";

/** Kubernetes' own bounds for a condition: a type is a name, a reason a word, a message a text. */
const TYPE_MAX = 316;
const REASON_MAX = 1_024;
const MESSAGE_MAX = 32_768;

const TYPE = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const STATUSES: readonly string[] = ["True", "False", "Unknown"];
const FIELDS: ReadonlySet<string> = new Set([
  "type",
  "status",
  "reason",
  "message",
  "lastTransitionTime",
  "observedGeneration",
]);

export interface WantedConditions {
  readonly conditions: readonly ClientCondition[];
  /** Fields of the plane that were sent with another value than shown. */
  readonly foreign: readonly FieldMistake[];
  readonly mistakes: readonly FieldMistake[];
}

export function wantedConditions(
  kind: ApiKind,
  of: {
    readonly sent: unknown;
    readonly shown: unknown;
    readonly held: readonly ClientCondition[];
    readonly nowMs: number;
  },
): WantedConditions {
  const { sent, shown } = of;
  if (sent !== undefined && !isJsonObject(sent)) {
    return only({ field: "status", message: `found ${shownValue(sent)}; expected an object.` });
  }
  const list = fieldOf(sent, "conditions") ?? [];
  if (!Array.isArray(list)) {
    return only({
      field: "status.conditions",
      message: `found ${shownValue(list)}; expected a list.`,
    });
  }
  const most = CONDITIONS_MAX + kind.planeConditions.length;
  if (list.length > most) {
    return only({
      field: "status.conditions",
      message: `found ${list.length}; expected at most ${CONDITIONS_MAX} besides those of the plane.`,
    });
  }
  const foreign: FieldMistake[] = foreignFields(kind, sent ?? {}, shown);
  const mistakes: FieldMistake[] = [];
  const conditions: ClientCondition[] = [];
  const own = fieldOf(shown, "conditions");
  for (const [at, sentOne] of list.entries()) {
    const field = `status.conditions[${at}]`;
    const type = fieldOf(sentOne, "type");
    if (typeof type === "string" && kind.planeConditions.includes(type)) {
      const isShown =
        Array.isArray(own) && own.some((each: unknown) => sameValue(each, sentOne as JsonObject));
      if (!isShown) foreign.push(planeOwned(field, `the condition ${type} of a ${kind.kind}`));
      continue;
    }
    const read = readCondition(sentOne, field, of);
    if (Array.isArray(read)) mistakes.push(...read);
    else conditions.push(read as ClientCondition);
  }
  return { conditions, foreign, mistakes: [...mistakes, ...ofTheList(conditions)] };
}

const only = (mistake: FieldMistake): WantedConditions => ({
  conditions: [],
  foreign: [],
  mistakes: [mistake],
});

const foreignFields = (kind: ApiKind, sent: JsonObject, shown: unknown): FieldMistake[] =>
  Object.entries(sent)
    .filter(
      ([name, value]) =>
        name !== "conditions" && value !== null && !sameValue(value, fieldOf(shown, name)),
    )
    .map(([name]) => planeOwned(`status.${name}`, `${name} of a ${kind.kind}`));

const planeOwned = (field: string, what: string): FieldMistake => ({
  field,
  message: `is owned by the plane, which computes ${what}: omit it, or send it unchanged.`,
});

function ofTheList(conditions: readonly ClientCondition[]): readonly FieldMistake[] {
  const field = "status.conditions";
  const types = conditions.map(({ type }) => type);
  const twice = types.find((type, at) => types.indexOf(type) !== at);
  return [
    ...(conditions.length <= CONDITIONS_MAX
      ? []
      : [{ field, message: `found ${conditions.length}; expected at most ${CONDITIONS_MAX}.` }]),
    ...(twice === undefined ? [] : [{ field, message: `found the type ${twice} twice.` }]),
  ];
}

function readCondition(
  sent: unknown,
  field: string,
  of: { readonly held: readonly ClientCondition[]; readonly nowMs: number },
): ClientCondition | readonly FieldMistake[] {
  if (!isJsonObject(sent)) {
    return [{ field, message: `found ${shownValue(sent)}; expected the fields of a condition.` }];
  }
  const { type, status, reason, message = "", lastTransitionTime: time } = sent;
  const generation = sent["observedGeneration"] ?? undefined;
  const mistakes: FieldMistake[] = Object.keys(sent)
    .filter((name) => !FIELDS.has(name))
    .map((name) => ({ field: `${field}.${name}`, message: "is not a field of a condition." }));
  const check = (name: string, isRight: boolean, expected: string): void => {
    if (isRight) return;
    const found = shownValue(sent[name] ?? "nothing");
    mistakes.push({ field: `${field}.${name}`, message: `found ${found}; expected ${expected}.` });
  };
  check("type", fits(type, TYPE, TYPE_MAX), `a name of at most ${TYPE_MAX} characters`);
  check("status", STATUSES.includes(status as string), "True, False or Unknown");
  check("reason", fits(reason, REASON, REASON_MAX), "one word in CamelCase");
  check("message", fits(message, /^/, MESSAGE_MAX), `at most ${MESSAGE_MAX} characters of text`);
  const sinceMs = typeof time === "string" && TIME.test(time) ? Date.parse(time) : Number.NaN;
  check(
    "lastTransitionTime",
    (time ?? undefined) === undefined || Number.isFinite(sinceMs),
    "a time such as 2024-05-01T12:00:00Z",
  );
  const isCount = Number.isSafeInteger(generation) && (generation as number) >= 0;
  check("observedGeneration", generation === undefined || isCount, "a whole number, 0 or more");
  if (mistakes.length > 0) return mistakes;
  const read = { type, status, reason, message } as Omit<ClientCondition, "sinceMs">;
  return {
    ...read,
    // Times of conditions are whole seconds, as they are shown.
    sinceMs: wholeSeconds(Number.isFinite(sinceMs) ? sinceMs : sinceWhen(read, of)),
    ...(generation === undefined ? {} : { observedGeneration: generation as number }),
  };
}

/** A client that leaves the time out means: since it came to be so. */
function sinceWhen(
  { type, status }: Pick<ClientCondition, "type" | "status">,
  { held, nowMs }: { readonly held: readonly ClientCondition[]; readonly nowMs: number },
): number {
  const before = held.find((each) => each.type === type);
  return before?.status === status ? before.sinceMs : nowMs;
}

const wholeSeconds = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

const fits = (value: unknown, pattern: RegExp, longest: number): boolean =>
  typeof value === "string" && value.length <= longest && pattern.test(value);
