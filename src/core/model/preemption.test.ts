import { describe, expect, test } from "vitest";
import type { PriorityClassSpec } from "./objects.ts";
import { classOf, mayPreempt, NO_CLASS, preemptionCycle, priorityClassKey } from "./preemption.ts";

const low: PriorityClassSpec = { value: 10 };
const high: PriorityClassSpec = { value: 20 };

describe("mayPreempt()", () => {
  test.each<{ title: string; by: PriorityClassSpec; victim: PriorityClassSpec; may: boolean }>([
    {
      title: "a higher class takes the place of a lower one [PE1]",
      by: high,
      victim: low,
      may: true,
    },
    { title: "a lower class preempts no replica [PE1]", by: low, victim: high, may: false },
    { title: "equals leave each other alone [PE1]", by: low, victim: { ...low }, may: false },
    {
      title: "classes of one band leave each other alone [PE1]",
      by: { ...high, band: "base" },
      victim: { ...low, band: "base" },
      may: false,
    },
    {
      title: "bands of different names are no bar [PE1]",
      by: { ...high, band: "base" },
      victim: { ...low, band: "other" },
      may: true,
    },
    {
      title: "an empty band is none [PE1]",
      by: { ...high, band: "" },
      victim: { ...low, band: "" },
      may: true,
    },
    {
      title: "a class that never preempts evicts no replica [PE1]",
      by: { ...high, preempts: "never" },
      victim: low,
      may: false,
    },
    {
      title: "a class that is not preemptible keeps its place [PE1]",
      by: high,
      victim: { ...low, preemptible: false },
      may: false,
    },
    {
      title: "work without a class yields to every class [PE1]",
      by: { value: -1_000_000_000 },
      victim: NO_CLASS,
      may: true,
    },
    { title: "and preempts no replica itself [PE1]", by: NO_CLASS, victim: NO_CLASS, may: false },
  ])("$title", ({ by, victim, may }) => {
    expect(mayPreempt(by, victim)).toBe(may);
  });
});

test("a class that is not there counts as none [PE1]", () => {
  expect(classOf(new Map(), "gone")).toBe(NO_CLASS);
  expect(classOf(new Map(), "")).toBe(NO_CLASS);
});

const itself = (by: PriorityClassSpec, of: PriorityClassSpec): boolean =>
  by === of && by.value === 3;

describe("preemptionCycle()", () => {
  const classes = new Map(
    [
      { name: "a", spec: { value: 1 } },
      { name: "b", spec: { value: 1, preempts: "never" as const } },
      { name: "c", spec: { value: 2, band: "x" } },
      { name: "d", spec: { value: 3, band: "x" } },
    ].map(({ name, spec }) => [priorityClassKey(name), spec]),
  );

  test("the relation in force has no circle, whatever the classes say [PE2]", () => {
    expect(preemptionCycle(classes)).toBeUndefined();
  });

  test("a circle is named from where it begins to where it closes [PE2]", () => {
    // A relation without order: each may preempt the next, and the last the first.
    const next = new Map([
      [1, 2],
      [2, 3],
      [3, 1],
    ]);
    const may = (by: PriorityClassSpec, of: PriorityClassSpec) => next.get(by.value) === of.value;
    expect(preemptionCycle(classes, may)).toEqual(["a", "c", "d", "a"]);
  });

  test("a class that may preempt itself is a circle of one [PE2]", () => {
    expect(preemptionCycle(classes, itself)).toEqual(["d", "d"]);
  });
});
