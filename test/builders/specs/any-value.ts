/** Small values of fields, for generated specs. */
import * as fc from "fast-check";

export const anyAmount = fc.oneof(fc.nat(), fc.integer({ min: 0, max: 2 ** 40 }));
export const anyName = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,10}[a-z0-9])?$/);
export const anyLabelKey = fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,10}[A-Za-z0-9])?$/);
export const anyLabels = fc.dictionary(anyLabelKey, fc.stringMatching(/^([A-Za-z0-9]{1,10})?$/), {
  noNullPrototype: true,
  maxKeys: 3,
});
export const anyText = fc.string({ unit: "binary" }).filter((text) => !text.includes("\u0000"));
export const anyWord = anyText.filter((text) => text !== "");
export const someOf = <T>(each: fc.Arbitrary<T>) => fc.array(each, { maxLength: 3 });

export const anyModel = fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9 ]{0,6}[A-Za-z0-9])?$/);
export const anyEffect = fc.constantFrom("no-schedule" as const, "prefer-no-schedule" as const);

/** A strict comparison would report the missing prototype of a generated record. */
export const plain = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  each.map((value) => structuredClone(value));
