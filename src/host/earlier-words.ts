/**
 * The words of fields up to format 1 of the contents, and in agents of protocol 1. Field names were
 * renamed, and values of a few fields that only Berth writes. Texts of users stay as they are: they
 * are values of other fields, and maps whose keys users chose are not entered.
 */

const FIELDS = [
  ["life", "incarnation"],
  ["slot", "index"],
  ["slots", "indexes"],
  ["slotLives", "indexIncarnations"],
  ["retiring", "scalingDown"],
] as const;

/** Why a command was rejected. */
const CODES: ReadonlyMap<string, string> = new Map([
  ["wrong-life", "wrong-incarnation"],
  ["slot-not-wanted", "index-not-wanted"],
  ["region-cut-off", "region-partitioned"],
]);

const COMMANDS: ReadonlyMap<string, string> = new Map([["retire", "scale-down"]]);

/** By the name of the field: no other field has values that were renamed. */
const VALUES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ["code", CODES],
  // Of evidence: the rule that a binding would break.
  ["rule", CODES],
  // Of intents and of commits.
  ["kind", COMMANDS],
  ["command", COMMANDS],
  // Of overrides.
  ["action", new Map([["cut-off", "mark-partitioned"]])],
]);

/** Maps whose keys belong to users; a list of the same name is entered. */
export const USER_MAPS: ReadonlySet<string> = new Set([
  "labels",
  "annotations",
  "nodeSelector",
  "env",
  "ports",
  "devices",
  "regions",
  "classes",
]);

interface Words {
  readonly fields: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const TODAY: Words = { fields: new Map(FIELDS), values: VALUES };
const EARLIER: Words = { fields: new Map(FIELDS.map(([was, is]) => [is, was])), values: new Map() };

/** A value of the earlier words in today's; one that has today's words stays as it is. */
export const inTodaysWords = (value: unknown): unknown => renamed(value, TODAY);

/** Objects and commits for agents of protocol 1, which look at no value that was renamed. */
export const inEarlierWords = (value: unknown): unknown => renamed(value, EARLIER);

function renamed(value: unknown, words: Words): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => renamed(each, words));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => [
      words.fields.get(name) ?? name,
      fieldRenamed(name, field, words),
    ]),
  );
}

function fieldRenamed(name: string, field: unknown, words: Words): unknown {
  if (typeof field === "string") return words.values.get(name)?.get(field) ?? field;
  return USER_MAPS.has(name) && !Array.isArray(field) ? field : renamed(field, words);
}
