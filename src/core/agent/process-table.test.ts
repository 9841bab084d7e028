import { describe, expect, test } from "vitest";
import { onNode } from "../../../test/builders/an-agent.ts";
import type { ObjectKey } from "../model/ids.ts";
import { UNSEEN } from "./process-ending.ts";
import { exists, type Phase, type Process, ProcessTable, stageFor } from "./process-table.ts";

const process = (phase: Phase, leashed = true): Process => ({
  uid: onNode().meta.uid,
  incarnation: 1,
  phase,
  permittedAt: 1,
  leashed,
  asked: { cpuMillis: 100, memoryMiB: 10, deviceMillis: 0 },
  address: undefined,
  probeMs: 0,
  readySinceMs: Number.POSITIVE_INFINITY,
  ending: UNSEEN,
});

const key = (index: number): ObjectKey => onNode({ index }).key;

describe("the process table", () => {
  test("lists what may be running, leashed or not, sorted [AG5]", () => {
    const table = new ProcessTable();
    const phases: readonly Phase[] = [
      "stopping",
      "ready",
      "claiming",
      "gone",
      "adopted",
      "starting",
    ];
    for (const [index, phase] of phases.entries()) table.set(key(index), process(phase));
    table.set(key(7), process("ready", false));
    expect(table.living({ leashed: true })).toEqual([0, 1, 4, 5].map(key));
    expect(table.living({ leashed: false })).toEqual([key(7)]);
    table.forget(key(7));
    expect(table.living({ leashed: false })).toEqual([]);
  });

  test("takes a claim for a request and a gone process for gone [AG1]", () => {
    expect(exists(process("claiming"))).toBe(false);
    expect(exists(process("gone"))).toBe(false);
    expect(exists(process("stopping"))).toBe(true);
  });
});

describe("the stage that a process deserves", () => {
  test("is left as it is until an adopted process was asked", () => {
    expect(stageFor(onNode({ stage: "serving" }), process("adopted"))).toBe("as-it-is");
  });

  test("is ready first and serving after, so that traffic can be routed between", () => {
    expect(stageFor(onNode({ stage: "starting" }), process("ready"))).toBe("ready");
    expect(stageFor(onNode({ stage: "unknown" }), process("ready"))).toBe("ready");
    expect(stageFor(onNode({ stage: "ready" }), process("ready"))).toBe("serving");
    expect(stageFor(onNode({ stage: "serving" }), process("ready"))).toBe("serving");
  });

  test("is running for a batch, and starting for what is not ready", () => {
    expect(stageFor(onNode({ type: "batch" }), process("ready"))).toBe("running");
    expect(stageFor(onNode({ stage: "serving" }), process("starting"))).toBe("starting");
  });
});
