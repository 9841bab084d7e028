import { describe, expect, test } from "vitest";
import { amounts } from "../../../../test/builders/amounts.ts";
import type { ObjectKey } from "../../model/ids.ts";
import { dominantShare, fairOrder, type Waiting } from "./fair-order.ts";

const waiting = (name: string, of: Partial<Waiting> = {}): Waiting => ({
  key: name as ObjectKey,
  tenant: name.slice(0, 1),
  priority: 0,
  sinceMs: 0,
  ...of,
});

/** Takes all of them, and gives each what `gives` says. */
function taken(
  all: readonly Waiting[],
  shares: Record<string, number>,
  gives: (key: string) => number = () => 0,
): readonly string[] {
  const order: string[] = [];
  let found = 0;
  const given = { of: (tenant: string) => shares[tenant] ?? 0, gifts: () => found };
  for (const key of fairOrder(all, given)) {
    order.push(key);
    const tenant = key.slice(0, 1);
    const more = gives(key);
    if (more > 0) found += 1;
    shares[tenant] = (shares[tenant] ?? 0) + Math.floor(more);
  }
  return order;
}

const nothingForTheFirst = (key: string): number => (key === "a1" ? 0 : 10);
const onlyForTheSecond = (key: string): number => (key.startsWith("b") ? 1 : 0);

describe("between tenants", () => {
  test("the one that has least comes first, and what it is given counts at once [QU1]", () => {
    const all = ["a1", "a2", "a3", "b1", "b2"].map((name) => waiting(name));
    expect(taken(all, { a: 0, b: 25 }, () => 20)).toEqual(["a1", "a2", "b1", "a3", "b2"]);
  });

  test("who is looked for in vain steps aside for one look of each other, and no more [QU1] [QU2]", () => {
    const all = ["a1", "a2", "b1", "b2", "b3", "c1"].map((name) => waiting(name));
    // b and c have more, and get one look each before a, which has least, gets its next.
    expect(taken(all, { a: 0, b: 50, c: 60 }, nothingForTheFirst)).toEqual([
      "a1",
      "b1",
      "c1",
      "a2",
      "b2",
      "b3",
    ]);
  });

  test("who got what its share does not show was not looked for in vain [QU1]", () => {
    const all = ["a1", "a2", "b1"].map((name) => waiting(name));
    // Half of a millionth: a has still least, and goes on.
    expect(taken(all, { a: 0, b: 50 }, () => 0.5)).toEqual(["a1", "a2", "b1"]);
  });

  test("ten thousand that fit nowhere leave every other look to the others [QU2]", () => {
    const many = Array.from({ length: 10_000 }, (_, at) => waiting(`a${at}`));
    const others = Array.from({ length: 100 }, (_, at) => waiting(`b${at}`));
    const first = taken([...many, ...others], { a: 0, b: 500 }, onlyForTheSecond).slice(0, 200);
    expect(first.filter((key) => key.startsWith("b"))).toHaveLength(100);
  });

  test("equal shares go by name, not by arrival [QU1]", () => {
    expect(taken([waiting("b1"), waiting("a1")], {})).toEqual(["a1", "b1"]);
  });
});

describe("within a tenant", () => {
  test("the most important comes first, then the oldest, then the first by name [QU2]", () => {
    const all = [
      waiting("a1", { sinceMs: 5 }),
      waiting("a2", { sinceMs: 3 }),
      waiting("a3", { priority: 10, sinceMs: 9 }),
      waiting("a5", { priority: -1 }),
      waiting("a4", { sinceMs: 3 }),
    ];
    expect(taken(all, {}, () => 1)).toEqual(["a3", "a2", "a4", "a1", "a5"]);
  });

  test("who finds no place holds up none of those behind it [QU2]", () => {
    const all = [waiting("a1", { priority: 9 }), waiting("a2"), waiting("a3")];
    expect(taken(all, {})).toEqual(["a1", "a2", "a3"]);
  });
});

describe("a dominant share", () => {
  const total = amounts({ cpuMillis: 1_000, memoryMiB: 1_000, deviceMillis: 8_000 });

  test("is the largest part of anything there is, by weight [QU1]", () => {
    const used = amounts({ cpuMillis: 100, memoryMiB: 300, deviceMillis: 1_000 });
    expect(dominantShare(used, total, 1)).toBe(300_000);
    expect(dominantShare(used, total, 3)).toBe(100_000);
  });

  test("says nothing of what there is none of [QU1]", () => {
    const none = amounts({ cpuMillis: 1_000, memoryMiB: 1_000, deviceMillis: 0 });
    const used = amounts({ cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 });
    expect(dominantShare(used, none, 1)).toBe(0);
  });
});
