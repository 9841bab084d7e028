import { expect, it } from "vitest";
import type { AnyObject } from "../../core/model/objects.ts";
import type { ApiContext } from "./api-context.ts";
import { initialLines, type Seen } from "./first-lines.ts";

it("[IN4] a watch that matches few of many objects looks at a bounded number of them for each of its lines", () => {
  const objects = Array.from({ length: 5_000 }, (_, at) => ({ at }) as unknown as AnyObject);
  const context = {
    plane: { revision: 7 },
    lists: { at: () => objects },
    shown: { of: () => 7 },
    texts: { hasRoomFor: () => false },
    limits: { turnSelected: 1_000, turnItems: 100 },
  } as unknown as ApiContext;
  let looked = 0;
  const last = objects.at(-1);
  const seen = {
    matches: (object: AnyObject) => ((looked += 1), object === last),
    shape: { isVeiled: () => false, encode: () => Buffer.from("line") },
  } as unknown as Seen;
  const lines = initialLines(context, seen, Buffer.from("end"));
  const told: string[] = [];
  for (let line = lines.next(); line.done !== true; line = lines.next()) {
    // As many lines as are made in one turn look at as many objects as are looked at in one.
    expect(looked).toBeLessThanOrEqual(10);
    looked = 0;
    if (line.value.length > 0) told.push(String(line.value));
  }
  expect(told).toEqual(["line", "end"]);
});
