import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ObjectKey } from "../../model/ids.ts";
import { byImportance, ImportanceHeap } from "./importance-heap.ts";

const waiting = fc.record({
  key: fc.string({ minLength: 1, maxLength: 3 }).map((name) => name as ObjectKey),
  tenant: fc.constant("a"),
  priority: fc.integer({ min: -2, max: 2 }),
  sinceMs: fc.integer({ min: 0, max: 3 }),
});

test("property: taken one by one they come as if all had been sorted [QU2]", () => {
  fc.assert(
    fc.property(fc.uniqueArray(waiting, { selector: ({ key }) => key }), (all) => {
      const heap = new ImportanceHeap();
      for (const each of all) heap.add(each);
      const taken = all.map(() => heap.take());
      expect(taken).toEqual(all.toSorted(byImportance));
      expect(heap.size).toBe(0);
      expect(heap.take()).toBeUndefined();
    }),
  );
});
