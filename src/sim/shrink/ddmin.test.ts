import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ddmin } from "./ddmin.ts";

describe("ddmin()", () => {
  it("finds the two items that only together make the difference", () => {
    const items = Array.from({ length: 50 }, (_, index) => index);
    let tries = 0;
    const kept = ddmin(items, (part) => {
      tries++;
      return part.includes(7) && part.includes(41);
    });
    expect(kept).toEqual([7, 41]);
    expect(tries).toBeLessThan(60);
  });

  it("settles in one try a list in which nothing matters", () => {
    let tries = 0;
    expect(ddmin([1, 2, 3], () => (tries++, true))).toEqual([]);
    expect(tries).toBe(1);
  });

  it("keeps what it has when there are no more tries", () => {
    let tries = 0;
    const kept = ddmin([1, 2, 3, 4], (part) => (tries++ < 2 ? part.includes(1) : undefined));
    expect(kept).toEqual([1, 2]);
  });

  it("property: of any wanted set, exactly that set is left, in its order", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat()), fc.func(fc.boolean()), (items, isWanted) => {
        const wanted = items.filter((item) => isWanted(item));
        const kept = ddmin(items, (part) => wanted.every((item) => part.includes(item)));
        expect(kept).toEqual(wanted);
      }),
    );
  });
});
