/**
 * The words that fields had up to format 1 of the contents, and in agents of protocol 1. Only field
 * names and rejection codes were renamed, so what users wrote stays as it is: their texts are
 * values, and the maps whose keys they chose are not entered.
 */

const FIELDS = [
  ["life", "incarnation"],
  ["slot", "index"],
  ["slots", "indexes"],
  ["slotLives", "indexIncarnations"],
] as const;

/** In `code`, where a reply says why a command was rejected. */
const CODES = [
  ["wrong-life", "wrong-incarnation"],
  ["slot-not-wanted", "index-not-wanted"],
] as const;

/** Maps whose keys belong to users; a list of the same name is entered. */
const USER_MAPS: ReadonlySet<string> = new Set([
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
  readonly codes: ReadonlyMap<string, string>;
}

const TODAY: Words = { fields: new Map(FIELDS), codes: new Map(CODES) };
const EARLIER: Words = { fields: new Map(FIELDS.map(([was, is]) => [is, was])), codes: new Map() };

/** A value of the earlier words in today's; one that has today's words stays as it is. */
export const inTodaysWords = (value: unknown): unknown => renamed(value, TODAY);

/** Objects and commits for agents of protocol 1, which look at no code that was renamed. */
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
  if (typeof field === "string") return name === "code" ? (words.codes.get(field) ?? field) : field;
  return USER_MAPS.has(name) && !Array.isArray(field) ? field : renamed(field, words);
}
