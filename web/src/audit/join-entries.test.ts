import { expect, test } from "vitest";
import { joinEntries } from "./join-entries.ts";

test("newer and older entries are put in their places, and none is there twice", () => {
  const there = [{ revision: 9 }, { revision: 7 }];
  expect(joinEntries(there, [{ revision: 7 }, { revision: 12 }, { revision: 3 }])).toEqual([
    { revision: 12 },
    { revision: 9 },
    { revision: 7 },
    { revision: 3 },
  ]);
});
