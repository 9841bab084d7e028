import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Departure, Departures } from "./departures.ts";

test("property: departures come soonest first, and in the order of their starts within a second", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (times) => {
      const departures = new Departures<Departure>();
      const all = times.map((atS, order) => ({ atS, order }));
      for (const each of all) departures.add(each);
      const taken = all.map(() => departures.take());
      expect(taken).toEqual(all.toSorted((a, b) => a.atS - b.atS || a.order - b.order));
      expect(departures.next).toBeUndefined();
    }),
    { seed: 7 },
  );
});
