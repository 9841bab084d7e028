import { describe, expect, it } from "vitest";
import { findOverlaps } from "./find-overlaps.ts";
import { type Incarnation, ownershipsOf, parseIncarnation } from "./read-incarnations.ts";

const anIncarnation = (overrides: Partial<Incarnation> = {}): Incarnation => ({
  replica: "Replica/shop/web.1.0",
  uid: "u1",
  incarnation: 1,
  pid: 100,
  node: "n1",
  devices: [],
  fromMs: 1_000,
  toMs: 2_000,
  ...overrides,
});

const overlapsOf = (...incarnations: readonly Incarnation[]) =>
  findOverlaps(ownershipsOf(incarnations));

describe("findOverlaps()", () => {
  it("is content with incarnations that follow each other, on one node or on several", () => {
    const second = anIncarnation({
      incarnation: 2,
      pid: 101,
      node: "n2",
      fromMs: 2_000,
      toMs: 3_000,
    });
    const third = anIncarnation({ incarnation: 3, pid: 102, fromMs: 3_400, toMs: 3_400 });
    expect(overlapsOf(third, anIncarnation(), second)).toEqual([]);
  });

  it("names two processes of one index that were alive at the same time, whatever order they are read in", () => {
    const early = anIncarnation({
      incarnation: 2,
      pid: 101,
      node: "n2",
      fromMs: 1_900,
      toMs: 5_000,
    });
    const found = [
      "index Replica/shop/web.1.0 had two owners for 100 ms: Replica/shop/web.1.0 (u1) incarnation 1, process 100 on n1 (1000 to 2000) and Replica/shop/web.1.0 (u1) incarnation 2, process 101 on n2 (1900 to 5000)",
    ];
    expect(overlapsOf(anIncarnation(), early)).toEqual(found);
    expect(overlapsOf(early, anIncarnation())).toEqual(found);
  });

  it("finds the one that slept and woke up after two others had come and one had gone", () => {
    const sleeper = anIncarnation({ toMs: 9_000 });
    const second = anIncarnation({ incarnation: 2, pid: 101, fromMs: 3_000, toMs: 4_000 });
    const third = anIncarnation({ incarnation: 3, pid: 102, fromMs: 5_000, toMs: 8_000 });
    expect(overlapsOf(sleeper, second, third)).toHaveLength(2);
  });

  it("finds two processes of one incarnation: an agent that started what already ran", () => {
    expect(overlapsOf(anIncarnation(), anIncarnation({ pid: 101, fromMs: 1_500 }))).toHaveLength(1);
  });

  it("finds a device with two owners of different indexes, and keeps equal names on two nodes apart", () => {
    const other = { replica: "Replica/shop/model.1.0", uid: "u2", pid: 101, devices: ["gpu-0"] };
    const holder = anIncarnation({ devices: ["gpu-0"] });
    expect(overlapsOf(holder, anIncarnation({ ...other, node: "n2" }))).toEqual([]);
    expect(overlapsOf(holder, anIncarnation(other))).toEqual([
      expect.stringMatching(/^device gpu-0 of n1 had two owners for 1000 ms/) as string,
    ]);
  });
});

describe("parseIncarnation()", () => {
  const first = `{"replica":"Replica/shop/web.1.0","uid":"u1","incarnation":1,"pid":100,"node":"n1","devices":"gpu-0,gpu-1","atMs":1000}`;

  it("reaches from the first line to the last whole one, and leaves out what a kill cut off", () => {
    expect(parseIncarnation(`${first}\n1100\n2000\n21`)).toEqual(
      anIncarnation({ devices: ["gpu-0", "gpu-1"] }),
    );
  });

  it("knows a process that was killed right after its first line, and none of one that was killed before", () => {
    expect(parseIncarnation(`${first}\n`)).toMatchObject({ fromMs: 1_000, toMs: 1_000 });
    expect(parseIncarnation(first.slice(0, 20))).toBeUndefined();
    expect(parseIncarnation("")).toBeUndefined();
  });
});
