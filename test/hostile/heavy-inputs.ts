/** Inputs that cost a parser the most for their length, for the tests that count its work. */
import { BODY } from "../../src/api/http/body-limits.ts";

export const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** An object with that many fields of one value. */
export const keyed = (count: number, value: unknown): Record<string, unknown> =>
  Object.fromEntries(many(count, (at) => [`k${at}`, value]));

/** A JSON patch that copies a list into itself, which doubles it each time. */
export const doubling = (times: number) => [
  { op: "add", path: "/x", value: [1] },
  ...many(times, () => ({ op: "copy", from: "/x", path: "/x/-" })),
];

/** Nearly the largest YAML body that is read: 64 characters are left for the text around a part. */
const YAML_SIZE = BODY.yamlBytes - 64;

/** The part as often as a body may have it. */
export const filled = (part: string): string => part.repeat(Math.floor(YAML_SIZE / part.length));

/** The same for parts that differ by a number. */
export function numbered(part: (at: number) => string): string {
  const parts = [];
  for (let at = 0, length = 0; length < YAML_SIZE - 40; at++) {
    const text = part(at);
    parts.push(text);
    length += text.length;
  }
  return parts.join("");
}

/** A field manager that owns one field of its own. */
export const owner = (at: number) => ({
  manager: `m${at}`,
  operation: "Apply",
  fieldsV1: { "f:spec": { [`f:k${at}`]: {} } },
});
