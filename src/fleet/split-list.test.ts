import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitList } from "./split-list.ts";

const split = (text: string) => {
  const list = splitList(Buffer.from(text));
  return list && { head: list.head, items: [...list.items] };
};

const values = fc.jsonValue();

describe("a list that is split", () => {
  test("has the objects that its parser finds in the whole, however it is written", () => {
    const property = fc.property(
      fc.array(values),
      values,
      fc.constantFrom(0, 2, "\t"),
      (items, other, space) => {
        const whole = { kind: "List", before: other, items, after: { items: other } };
        const text = JSON.stringify(whole, undefined, space);
        const again = JSON.parse(text) as typeof whole;
        expect(split(text)).toEqual({ head: { ...again, items: [] }, items: again.items });
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  test.each(['{"kind": "Pod", "spec": {"items": [1]}}', "[1]", "7", '"items"', '{"items": {}}'])(
    "is none where there is none: %s",
    (text) => {
      expect(split(text)).toBeUndefined();
    },
  );

  test.each([
    ['{"items": [{"a": 1}, {"b"', /middle of its items/],
    ['{"items": [{"a": "x', /middle of a string/],
    ['{"items": [{"a": }]}', /JSON/],
    ['{"items": [1,]}', /JSON/],
  ])("that is broken says so: %s", (text, why) => {
    expect(() => split(text)).toThrow(why);
  });
});
