/** Every suggestion of `--what-if`, made for real: admission and the scheduler then place what waited. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { whatIf } from "../../src/core/explain/what-if.ts";
import type { AnyObject } from "../../src/core/model/objects.ts";
import { runs, TIME_LIMIT_MS } from "./runs.ts";
import { changed, indexOf, isPlaced } from "./what-if-change.ts";
import { type WaitingWorld, worlds } from "./what-if-world.ts";

const texts = (remedies: readonly object[]): readonly string[] =>
  remedies.map((remedy) => JSON.stringify(remedy));

test(
  "property: [EX2] [EX5] every suggested change places the replica or its whole gang, and [EX6] none contains another",
  () => {
    const met: Record<string, number> = {};
    const meet = (what: string) => (met[what] = (met[what] ?? 0) + 1);
    fc.assert(
      fc.property(worlds, ({ objects, replica }: WaitingWorld) => {
        const { suggestions, fitsNow, gang } = whatIf(indexOf(objects), replica);
        expect({ fitsNow, placed: isPlaced(objects) }).toEqual({
          fitsNow,
          placed: fitsNow !== undefined,
        });
        if (fitsNow !== undefined) meet("fits");
        for (const { remedies } of suggestions) {
          const after = remedies.reduce<readonly AnyObject[] | undefined>(
            (made, remedy) => made && changed(made, remedy, replica),
            objects,
          );
          const placed = after !== undefined && isPlaced(after);
          expect({ remedies, placed }).toEqual({ remedies, placed: true });
          for (const { kind } of remedies) meet(gang === undefined ? kind : `gang ${kind}`);
          const parts = suggestions.filter(
            (other) =>
              other.remedies !== remedies &&
              texts(other.remedies).every((part) => texts(remedies).includes(part)),
          );
          expect({ remedies, parts }).toEqual({ remedies, parts: [] });
        }
      }),
      runs(400),
    );
    const single = ["free", "free-devices", "uncordon", "end-drain", "release-override"];
    const asked = [
      "raise-quota",
      "create-quota",
      "tolerate",
      "drop-label",
      "drop-fixed-port",
      "allow-zone",
    ];
    const gang = ["raise-quota", "add-node", "free", "uncordon", "tolerate"].map(
      (kind) => `gang ${kind}`,
    );
    // Every sort of change came up, or the property says less than its name.
    const wanted = ["fits", ...single, ...asked, ...gang, "add-node"];
    expect(wanted.filter((what) => met[what] === undefined)).toEqual([]);
  },
  TIME_LIMIT_MS,
);
