/** The finder's columns, classes and counts against a full scan, after everything a view can go through. */
import { inspect, isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Replica } from "../../src/core/model/objects.ts";
import type { NodeFinder } from "../../src/core/propose/fleet/node-finder.ts";
import { choices } from "./commands.ts";
import { type FinderMove, FinderWorld } from "./finder-world.ts";
import { findNaively, type NaiveAnswer } from "./naive-finder.ts";
import { runs, TIME_LIMIT_MS } from "./runs.ts";

const VERBS: readonly (readonly [FinderMove["verb"], number])[] = [
  ["node", 6],
  ["drop-node", 1],
  ["replica", 12],
  ["assume", 8],
  ["forget", 2],
  ["shun", 1],
  ["learn", 1],
  ["turn", 5],
];

const moves: fc.Arbitrary<FinderMove[]> = fc.array(
  fc.record({
    verb: fc.oneof(...VERBS.map(([verb, weight]) => ({ weight, arbitrary: fc.constant(verb) }))),
    picks: choices(16),
  }),
  { maxLength: 60, size: "max" },
);

const templates = fc.array(choices(24), { minLength: 3, maxLength: 3 });

/** As many of the best as the naive scan is compared on. */
const COMPARED = 4;

function answerOf(finder: NodeFinder, replica: Replica): unknown {
  const found = finder.find(replica);
  const rejected: Record<string, { count: number; first: string }> = {};
  for (const [rule, { count, node }] of finder.rejected(replica)) {
    rejected[rule] = { count, first: node.meta.name };
  }
  return {
    best: found && { name: found.node, score: found.score },
    ranked: finder.alternatives(replica, COMPARED),
    rejected,
  };
}

const shown = ({ ranked, rejected }: NaiveAnswer): unknown => ({
  best: ranked[0],
  ranked: ranked.slice(0, COMPARED),
  rejected,
});

/** A counterexample that can be read: numbers say nothing. */
const story = (world: FinderWorld, { key, spec }: Replica): string =>
  [...world.story, `${key} asks for ${JSON.stringify(spec.template)}`, ""].join("\n");

function compare(found: unknown, naive: unknown, tale: string): void {
  if (isDeepStrictEqual(found, naive)) return;
  const [actual, expected] = [found, naive].map((answer) => inspect(answer, { depth: 8 }));
  throw new Error(`${tale}\nThe finder says ${actual}\nA full scan says ${expected}`);
}

test(
  "property: the finder finds what a full scan finds, for the same reasons, whatever the view went through",
  () => {
    const met: Record<string, number> = {};
    fc.assert(
      fc.property(templates, moves, (of, steps) => {
        const world = new FinderWorld(of);
        for (const step of [...steps, { verb: "turn", picks: [0] } as const]) {
          world.take(step);
          if (step.verb !== "turn" && step.verb !== "assume") continue;
          for (const seeker of world.seekers) {
            const naive = findNaively(world.situation, seeker);
            compare(answerOf(world.finder, seeker), shown(naive), story(world, seeker));
            compare(answerOf(world.afresh(), seeker), shown(naive), story(world, seeker));
            if (naive.ranked.length > 0) met["found"] = (met["found"] ?? 0) + 1;
            for (const rule in naive.rejected) met[rule] = (met[rule] ?? 0) + 1;
          }
        }
      }),
      runs(400),
    );
    // Every rule turned something away, or the property says less than its name.
    const rules = [
      "found",
      "refused-lately",
      "allowed-location",
      "node-selector",
      "taints",
      "schedulable",
      "capacity",
      "spread",
      "max-per-node",
      "fixed-port",
      "affinity",
      "anti-affinity",
    ];
    expect(rules.filter((rule) => (met[rule] ?? 0) < 50)).toEqual([]);
  },
  TIME_LIMIT_MS,
);
