import * as fc from "fast-check";
import { expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import type { Node } from "../model/objects.ts";
import { JUST_BACK_MS, SUSPECT_AFTER_MS } from "../model/timing.ts";
import { SilencePicture } from "./correlated-silence.ts";
import { type LastHeard, SilenceCounts } from "./silence-counts.ts";

const NAMES = ["a", "b", "c", "d", "e", "f"];
const nodeAt = (at: number): Node =>
  aNode({ name: NAMES[at] ?? "", region: at < 4 ? "eu" : "us", zone: `z${at % 2}` });

/** The same counts, from a look at all nodes. */
function counted(heard: ReadonlyMap<string, LastHeard>, nowMs: number): SilencePicture {
  const picture = new SilencePicture();
  for (const { node, atMs, backMs = Number.NEGATIVE_INFINITY } of heard.values()) {
    picture.add(node, nowMs - atMs > SUSPECT_AFTER_MS || nowMs - backMs <= JUST_BACK_MS);
  }
  return picture;
}

const aStep = fc.record({
  passMs: fc.constantFrom(0, 1, 3_000, SUSPECT_AFTER_MS, JUST_BACK_MS + 1),
  node: fc.nat(NAMES.length - 1),
  does: fc.constantFrom("renews", "is-back", "goes", "nothing"),
});

test("counts that are kept say of every node what a count of all nodes says", () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 40 }), (steps) => {
      const counts = new SilenceCounts();
      const heard = new Map<string, LastHeard>();
      let nowMs = 1_000;
      for (const { passMs, node: at, does } of steps) {
        nowMs += passMs;
        const node = nodeAt(at);
        const { name } = node.meta;
        const { backMs } = heard.get(name) ?? {};
        if (does === "renews") heard.set(name, { node, atMs: nowMs, backMs });
        if (does === "is-back") heard.set(name, { node, atMs: nowMs, backMs: nowMs });
        if (does === "goes") heard.delete(name);
        if (does !== "nothing") counts.touch(name);
        const kept = counts.at(nowMs, (asked) => heard.get(asked));
        const plain = counted(heard, nowMs);
        for (const one of NAMES.keys()) {
          expect(kept.holdOn(nodeAt(one))).toEqual(plain.holdOn(nodeAt(one)));
        }
      }
    }),
  );
});

test("counts of a clock that is behind are made anew", () => {
  const counts = new SilenceCounts();
  const heard = new Map(NAMES.slice(0, 4).map((name, at) => [name, { node: nodeAt(at), atMs: 0 }]));
  for (const name of heard.keys()) counts.touch(name);
  const heardOf = (name: string): LastHeard | undefined => heard.get(name);
  expect(counts.at(20_000, heardOf).holdOn(nodeAt(0))).toMatchObject({ silent: 4, watched: 4 });
  expect(counts.at(1_000, heardOf).holdOn(nodeAt(0))).toBeUndefined();
});
