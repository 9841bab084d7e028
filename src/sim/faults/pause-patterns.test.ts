import { expect, test } from "vitest";
import { KeyedRandom } from "./keyed-random.ts";
import { pausePattern } from "./pause-patterns.ts";
import { drawWorld } from "../swarm/swarm-world.ts";

const world = drawWorld(1);
const [first] = world.nodes;
const pause = { fault: "node-pause", node: first!.name, atMs: 5_000, forMs: 1_000 } as const;

/** What follows from the same pause, under many numbers. */
const patterns = Array.from({ length: 200 }, (_, index) =>
  pausePattern(pause, { random: new KeyedRandom(1, "test"), index, world }),
).filter((found) => found.length > 0);

test("a pause is sometimes that of a zone: all others of it go dark at the same moment", () => {
  const { zone } = first!.spec;
  const others = world.nodes.filter(({ name, spec }) => spec.zone === zone && name !== pause.node);
  const dark = patterns.find((found) => found.every(({ atMs }) => atMs === pause.atMs));
  expect(dark?.map(({ node }) => node)).toEqual(others.map(({ name }) => name));
});

test("and sometimes another node comes and goes, without being paused twice at once", () => {
  const flapping = patterns.find((found) => found.some(({ atMs }) => atMs !== pause.atMs))!;
  expect(new Set(flapping.map(({ node }) => node)).size).toBe(1);
  expect(flapping[0]!.node).not.toBe(pause.node);
  expect(flapping.length).toBeGreaterThan(4);
  const gaps = flapping.slice(1).map(({ atMs }, at) => {
    const before = flapping[at]!;
    return atMs - before.atMs - before.forMs;
  });
  expect(Math.min(...gaps)).toBeGreaterThan(0);
});

test("another fault brings none", () => {
  const crash = { fault: "node-crash", node: first!.name, atMs: 0, downMs: 1 } as const;
  const of = { random: new KeyedRandom(1, "test"), index: 0, world };
  expect(pausePattern(crash, of)).toEqual([]);
});
