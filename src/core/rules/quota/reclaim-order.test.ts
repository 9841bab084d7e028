import { describe, expect, test } from "vitest";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import { amounts } from "../../../../test/builders/amounts.ts";
import type { Replica } from "../../model/objects.ts";
import { pickVictims } from "./reclaim-order.ts";

const asking = (index: number, cpuMillis: number, memoryMiB = 0): Replica =>
  aReplica({ index, cpuMillis, memoryMiB });

const needing = (cpuMillis: number, memoryMiB = 0) =>
  amounts({ cpuMillis, memoryMiB, deviceMillis: 0 });

const indexes = (picked: readonly Replica[]): readonly number[] =>
  picked.map(({ spec }) => spec.index);

const plenty = new Map([["payments", needing(9_000, 9_000)]]);

describe("who gives quota back", () => {
  test("is the first in order, until there is enough [QT8]", () => {
    const order = [asking(0, 100), asking(1, 100), asking(2, 100)];
    expect(indexes(pickVictims(order, needing(150), plenty))).toEqual([0, 1]);
    expect(indexes(pickVictims(order, needing(0), plenty))).toEqual([]);
  });

  test("is no replica that the later ones make unnecessary [QT8]", () => {
    const order = [asking(0, 100), asking(1, 50), asking(2, 400)];
    expect(indexes(pickVictims(order, needing(400), plenty))).toEqual([2]);
    // Either of the small ones would do beside it; the less important one goes.
    expect(indexes(pickVictims(order, needing(450), plenty))).toEqual([0, 2]);
  });

  test("is no replica that holds nothing of the missing amount [QT8]", () => {
    const order = [asking(0, 0, 500), asking(1, 100, 0)];
    expect(indexes(pickVictims(order, needing(50), plenty))).toEqual([1]);
    expect(indexes(pickVictims(order, needing(50, 50), plenty))).toEqual([0, 1]);
  });

  test("is no replica of a tenant that has given all it may be asked for [QT8]", () => {
    const order = [asking(0, 100), asking(1, 100), asking(2, 100)];
    const spare = new Map([["payments", needing(110)]]);
    expect(indexes(pickVictims(order, needing(300), spare))).toEqual([0, 1]);
    expect(indexes(pickVictims(order, needing(300), new Map()))).toEqual([]);
  });
});
