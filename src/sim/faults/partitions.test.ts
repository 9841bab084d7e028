import { expect, test } from "vitest";
import { DriftingClock } from "./clock.ts";
import { ComponentProcess } from "../hosts/component-process.ts";
import { EVERYBODY, Partitions } from "./partitions.ts";

const [plane, admit, agent] = ["plane-1", "admit", "agent:n1"].map(
  (name, index) => new ComponentProcess({ index, name, clock: new DriftingClock(), seed: 1 }),
) as [ComponentProcess, ComponentProcess, ComponentProcess];

test("one direction of one link is cut, until its time", () => {
  const partitions = new Partitions();
  partitions.add({ from: agent.index, to: plane.index, untilMs: 100 });
  expect(partitions.isCut(agent, plane, 99)).toBe(true);
  expect(partitions.isCut(plane, agent, 99)).toBe(false);
  expect(partitions.isCut(admit, plane, 99)).toBe(false);
  expect(partitions.isCut(agent, plane, 100)).toBe(false);
});

test("a partition with all components at one end hits every component", () => {
  const partitions = new Partitions();
  partitions.add({ from: EVERYBODY, to: plane.index, untilMs: 100 });
  expect(partitions.isCut(agent, plane, 0)).toBe(true);
  expect(partitions.isCut(admit, plane, 0)).toBe(true);
  expect(partitions.isCut(plane, admit, 0)).toBe(false);
});

test("ended partitions are forgotten, and healing ends all", () => {
  const partitions = new Partitions();
  partitions.add({ from: EVERYBODY, to: EVERYBODY, untilMs: 100 });
  partitions.add({ from: agent.index, to: EVERYBODY, untilMs: 200 });
  partitions.forgetEnded(150);
  expect(partitions.isCut(admit, plane, 50)).toBe(false);
  expect(partitions.isCut(agent, plane, 150)).toBe(true);
  partitions.endAll();
  expect(partitions.isCut(agent, plane, 150)).toBe(false);
});
