import { describe, expect, test } from "vitest";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import {
  AgentHarness,
  anAgent,
  anAgentWithProcess,
  onNode,
} from "../../../test/builders/an-agent.ts";

const KEY = onNode().key;
const STOPPING = { reason: "surplus", sinceMs: 0 } as const;
const FENCED = aRefusal("node-fenced", { expected: "session after 1" });

describe("the leash", () => {
  test("reaches to fifteen seconds after the committed renewal was sent, not answered [AG2]", () => {
    const harness = new AgentHarness();
    harness.now = 1_000;
    harness.adopted();
    harness.now = 3_500;
    harness.renewed();
    expect(harness.all("leash")).toEqual([{ kind: "leash", untilMs: 16_000 }]);
  });

  test("is not moved by a renewal that was refused or not answered [AG2]", () => {
    const harness = anAgent();
    harness.later(5_000).renewed(aRefusal("stale-epoch"));
    harness.later(6_000);
    expect(harness.all("leash")).toHaveLength(1);
    expect(harness.renewals.length).toBeGreaterThan(2);
  });

  test("kills no process when it is moved in time [AG2]", () => {
    const harness = anAgentWithProcess().saw(onNode({ stage: "starting", stopping: STOPPING }), 13);
    harness.now = 5_000;
    harness.give({ kind: "timer" });
    const stops = harness.all("stop-process").length;
    harness.renewed();
    expect(harness.lately("leash")).toHaveLength(1);
    expect(harness.all("stop-process")).toHaveLength(stops);
  });

  test("moves with every renewal that was committed [AG2]", () => {
    const harness = anAgent().later(5_000).renewed();
    expect(harness.all("leash").map(({ untilMs }) => untilMs)).toEqual([15_000, 20_000]);
  });
});

describe("planes of another epoch", () => {
  test("of an earlier one, a list is refused [AG3]", () => {
    const harness = new AgentHarness()
      .adopted({ epoch: 5 })
      .renewed({ kind: "committed", revision: 1 }, 5);
    harness.give({ kind: "started" }).listed([onNode()], 99, 4);
    expect(harness.agent.view.revision).toBe(0);
    expect(harness.reports).toEqual([]);
    harness.listed([onNode()], 99, 5);
    expect(harness.reports).toEqual(["starting"]);
  });

  test("of an earlier one, what the watch shows is refused [AG3]", () => {
    const harness = anAgentWithProcess().give({ kind: "watch", commits: [], to: 12, epoch: 3 });
    harness.saw(onNode({ stage: "released", node: undefined }), 20, 2);
    expect(harness.all("stop-process")).toEqual([]);
    expect(harness.agent.view.revision).toBe(12);
  });

  test("of a later one, the epoch is remembered on the node [AG3]", () => {
    const harness = anAgent().give({ kind: "watch", commits: [], to: 11, epoch: 3 });
    expect(harness.all("remember")).toEqual([{ kind: "remember", session: 1, epoch: 3 }]);
    harness.later(5_000).renewed({ kind: "committed", revision: 12 }, 4);
    expect(harness.all("remember").at(-1)).toEqual({ kind: "remember", session: 1, epoch: 4 });
  });

  test("of an earlier one, a late answer does not take the agent back [AG3]", () => {
    const harness = anAgent().give({ kind: "watch", commits: [], to: 11, epoch: 3 });
    harness.later(5_000).renewed({ kind: "committed", revision: 12 }, 2).later(5_000);
    expect(harness.agent.view.epoch).toBe(3);
    expect(harness.lately("request")).toMatchObject([{ request: { command: { epoch: 3 } } }]);
  });

  test("of the same one, nothing is remembered again [AG3]", () => {
    const harness = anAgent().give({ kind: "watch", commits: [], to: 11, epoch: 1 });
    expect(harness.all("remember")).toEqual([]);
  });
});

describe("a fenced agent", () => {
  test("stops every leashed process, and only then begins a new session [AG5]", () => {
    const harness = anAgentWithProcess().later(5_000).renewed(FENCED);
    expect(harness.lately("stop-process")).toMatchObject([{ replica: KEY, incarnation: 1 }]);
    const renewals = harness.renewals.length;
    harness.later(20_000);
    expect(harness.renewals).toHaveLength(renewals);
    expect(harness.all("remember")).toEqual([]);
    harness.exited(137);
    expect(harness.lately("remember")).toEqual([{ kind: "remember", session: 2, epoch: 1 }]);
    expect(harness.renewals.at(-1)).toMatchObject({ session: 2, seq: 1, kept: [] });
  });

  test("says nothing about a process that it is stopping [AG5]", () => {
    const harness = anAgentWithProcess().later(5_000).renewed(FENCED);
    const reports = harness.reports.length;
    harness.saw(onNode({ stage: "unknown" }), 13).probed(true);
    expect(harness.reports).toHaveLength(reports);
    expect(harness.agent.owed()).toMatchObject([{ key: KEY, reason: "stopping" }]);
  });

  test("remembers the new session before it speaks in it [AG5]", () => {
    const harness = anAgent().later(5_000).renewed(FENCED);
    const order = harness.last.map(({ kind }) => kind).filter((kind) => kind !== "timer");
    expect(order).toEqual(["remember", "request"]);
  });

  test("keeps what runs on purpose, and names it in the new session [AG5]", () => {
    const harness = anAgentWithProcess({ onDisconnect: "keep" }).later(5_000).renewed(FENCED);
    expect(harness.all("stop-process")).toEqual([]);
    expect(harness.renewals.at(-1)).toMatchObject({ session: 2, seq: 1, kept: [KEY] });
  });

  test("does not stop a kept process before the authority has carried it over [AG4]", () => {
    const harness = anAgentWithProcess({ onDisconnect: "keep" }).later(5_000).renewed(FENCED);
    const kept = { onDisconnect: "keep", stage: "unknown" } as const;
    harness.saw(onNode(kept), 13).later(30_000);
    expect(harness.all("stop-process")).toEqual([]);
    harness.saw(onNode({ ...kept, session: 2 }), 14).reportLanded(15);
    expect(harness.all("stop-process")).toEqual([]);
    harness.saw(onNode({ ...kept, stage: "released", node: undefined }), 15);
    expect(harness.all("stop-process")).toHaveLength(1);
  });

  test("starts nothing until the new session is granted [AG1]", () => {
    const harness = anAgent([onNode()]).later(5_000).renewed(FENCED);
    harness.saw(onNode({ stage: "starting" }), 12);
    expect(harness.all("start-process")).toEqual([]);
  });
});
