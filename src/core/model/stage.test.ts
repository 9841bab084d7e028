import { describe, expect, test } from "vitest";
import { agentMay, holdsNode, isResting, ownerOf, type Stage, STAGES } from "./stage.ts";

const from = (to: Stage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (["none", ...STAGES] as const).flatMap((stage) => {
      const owner = ownerOf(stage, to);
      return owner === undefined ? [] : [[stage, owner]];
    }),
  );

const HOLDING = ["bound", "starting", "ready", "serving", "running", "unknown"] as const;

describe("every stage change has one owner", () => {
  test("admitted comes from nothing, released or failed, by admit [ST1]", () => {
    expect(from("admitted")).toEqual({ none: "admit", released: "admit", failed: "admit" });
  });

  test("queued comes from admitted, by admit [ST1]", () => {
    expect(from("queued")).toEqual({ admitted: "admit" });
  });

  test("bound comes from queued, by place [ST1]", () => {
    expect(from("bound")).toEqual({ queued: "place" });
  });

  test("unknown comes from every other stage that holds a node, by node-health [ST1]", () => {
    const others = HOLDING.filter((stage) => stage !== "unknown");
    expect(from("unknown")).toEqual(
      Object.fromEntries(others.map((stage) => [stage, "node-health"])),
    );
  });

  test("released is admit's before the bind and repair's after it [ST1]", () => {
    expect(from("released")).toEqual({
      admitted: "admit",
      queued: "admit",
      ...Object.fromEntries(HOLDING.map((stage) => [stage, "release-lost"])),
    });
  });

  test("what a process does is its agent's to say, while the replica holds a node [ST1]", () => {
    for (const to of ["starting", "ready", "serving", "running", "succeeded", "failed"] as const) {
      expect(from(to)).toEqual(Object.fromEntries(HOLDING.map((stage) => [stage, "agent"])));
    }
  });
});

test("an agent says nothing about a replica that holds no node [ST1]", () => {
  for (const stage of ["none", "admitted", "queued", "succeeded", "failed", "released"] as const) {
    expect(agentMay(stage, "released")).toBe(false);
    expect(agentMay(stage, "starting")).toBe(false);
  }
  expect(agentMay("serving", "released")).toBe(true);
  expect(agentMay("serving", "bound")).toBe(false);
  expect(agentMay("serving", "unknown")).toBe(false);
});

test("a stage holds a node, is at rest, or is on its way to a node", () => {
  expect(STAGES.filter(holdsNode)).toEqual(HOLDING);
  expect(STAGES.filter(isResting)).toEqual(["succeeded", "failed", "released"]);
});
