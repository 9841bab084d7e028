import * as fc from "fast-check";
import { expect, it } from "vitest";
import { decodeBody } from "./decode-body.ts";
import { duplicateFields } from "./duplicate-fields.ts";

const headers = { "content-type": "application/json" };

const read = (body: string) => decodeBody({ body, headers }, ["application/json"]);

/** Objects as text, in which a name may come twice. */
const { text } = fc.letrec((tie) => ({
  text: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom("1", "null", '"a,b"', '"{[\\""', "[]", "{}"),
    fc.array(tie("text"), { maxLength: 3 }).map((all) => `[${all.join(", ")}]`),
    fc
      .array(fc.tuple(fc.constantFrom("a", "b", "c", "\\u0061", "constructor"), tie("text")), {
        maxLength: 4,
      })
      .map((all) => `{ ${all.map(([name, value]) => `"${name}": ${String(value)}`).join(",")} }`),
  ),
}));

it("[IN2] names the fields that a text gives twice, and no others", () => {
  fc.assert(
    fc.property(text, (some) => {
      const body = `{"all":${some}}`;
      const decoded = read(body);
      expect(decoded.value).toEqual(JSON.parse(body));
      expect(decoded.duplicates).toEqual(duplicateFields(body));
    }),
    { numRuns: 500 },
  );
});

it("[IN2] refuses names that are not allowed, wherever they are", () => {
  expect(() => read('{"a":[{"__proto__":1}]}')).toThrow("__proto__");
  expect(() => read(`{"a":{"${"n".repeat(10_000)}":1}}`)).toThrow("field name");
});
