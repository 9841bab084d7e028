import { describe, expect, test } from "vitest";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import {
  AgentBench,
  anAgent,
  anAgentWithProcess,
  onNode,
} from "../../../test/builders/an-agent.ts";

const KEY = onNode().key;
const STOPPING = { reason: "surplus", sinceMs: 0 } as const;
const FENCED = aRefusal("node-fenced", { expected: "session after 1" });

describe("the leash", () => {
  test("reaches to fifteen seconds after the committed renewal was sent, not answered [AG2]", () => {
    const bench = new AgentBench();
    bench.now = 1_000;
    bench.adopted();
    bench.now = 3_500;
    bench.renewed();
    expect(bench.all("leash")).toEqual([{ kind: "leash", untilMs: 16_000 }]);
  });

  test("is not moved by a renewal that was refused or not answered [AG2]", () => {
    const bench = anAgent();
    bench.later(5_000).renewed(aRefusal("stale-epoch"));
    bench.later(6_000);
    expect(bench.all("leash")).toHaveLength(1);
    expect(bench.renewals.length).toBeGreaterThan(2);
  });

  test("disturbs nobody when it is moved in time [AG2]", () => {
    const bench = anAgentWithProcess().saw(onNode({ stage: "starting", stopping: STOPPING }), 13);
    bench.now = 5_000;
    bench.give({ kind: "timer" });
    const stops = bench.all("stop-process").length;
    bench.renewed();
    expect(bench.lately("leash")).toHaveLength(1);
    expect(bench.all("stop-process")).toHaveLength(stops);
  });

  test("moves with every renewal that was committed [AG2]", () => {
    const bench = anAgent().later(5_000).renewed();
    expect(bench.all("leash").map(({ untilMs }) => untilMs)).toEqual([15_000, 20_000]);
  });
});

describe("planes of another epoch", () => {
  test("of an earlier one, a list is refused [AG3]", () => {
    const bench = new AgentBench()
      .adopted({ epoch: 5 })
      .renewed({ kind: "committed", revision: 1 }, 5);
    bench.give({ kind: "started" }).listed([onNode()], 99, 4);
    expect(bench.agent.view.revision).toBe(0);
    expect(bench.reports).toEqual([]);
    bench.listed([onNode()], 99, 5);
    expect(bench.reports).toEqual(["starting"]);
  });

  test("of an earlier one, what the watch shows is refused [AG3]", () => {
    const bench = anAgentWithProcess().give({ kind: "watch", commits: [], to: 12, epoch: 3 });
    bench.saw(onNode({ stage: "released", node: undefined }), 20, 2);
    expect(bench.all("stop-process")).toEqual([]);
    expect(bench.agent.view.revision).toBe(12);
  });

  test("of a later one, the epoch is remembered on the node [AG3]", () => {
    const bench = anAgent().give({ kind: "watch", commits: [], to: 11, epoch: 3 });
    expect(bench.all("remember")).toEqual([{ kind: "remember", session: 1, epoch: 3 }]);
    bench.later(5_000).renewed({ kind: "committed", revision: 12 }, 4);
    expect(bench.all("remember").at(-1)).toEqual({ kind: "remember", session: 1, epoch: 4 });
  });

  test("of an earlier one, a late answer does not take the agent back [AG3]", () => {
    const bench = anAgent().give({ kind: "watch", commits: [], to: 11, epoch: 3 });
    bench.later(5_000).renewed({ kind: "committed", revision: 12 }, 2).later(5_000);
    expect(bench.agent.view.epoch).toBe(3);
    expect(bench.lately("request")).toMatchObject([{ request: { command: { epoch: 3 } } }]);
  });

  test("of the same one, nothing is remembered again [AG3]", () => {
    const bench = anAgent().give({ kind: "watch", commits: [], to: 11, epoch: 1 });
    expect(bench.all("remember")).toEqual([]);
  });
});

describe("a fenced agent", () => {
  test("stops every leashed process, and only then begins a new session [AG5]", () => {
    const bench = anAgentWithProcess().later(5_000).renewed(FENCED);
    expect(bench.lately("stop-process")).toMatchObject([{ replica: KEY, life: 1 }]);
    const renewals = bench.renewals.length;
    bench.later(20_000);
    expect(bench.renewals).toHaveLength(renewals);
    expect(bench.all("remember")).toEqual([]);
    bench.exited(137);
    expect(bench.lately("remember")).toEqual([{ kind: "remember", session: 2, epoch: 1 }]);
    expect(bench.renewals.at(-1)).toMatchObject({ session: 2, seq: 1, kept: [] });
  });

  test("says nothing about a process that it is stopping [AG5]", () => {
    const bench = anAgentWithProcess().later(5_000).renewed(FENCED);
    const reports = bench.reports.length;
    bench.saw(onNode({ stage: "unknown" }), 13).probed(true);
    expect(bench.reports).toHaveLength(reports);
    expect(bench.agent.owed()).toMatchObject([{ key: KEY, reason: "stopping" }]);
  });

  test("remembers the new session before it speaks in it [AG5]", () => {
    const bench = anAgent().later(5_000).renewed(FENCED);
    const order = bench.last.map(({ kind }) => kind).filter((kind) => kind !== "timer");
    expect(order).toEqual(["remember", "request"]);
  });

  test("keeps what runs on purpose, and names it in the new session [AG5]", () => {
    const bench = anAgentWithProcess({ onDisconnect: "keep" }).later(5_000).renewed(FENCED);
    expect(bench.all("stop-process")).toEqual([]);
    expect(bench.renewals.at(-1)).toMatchObject({ session: 2, seq: 1, kept: [KEY] });
  });

  test("does not stop a kept process before the authority has carried it over [AG4]", () => {
    const bench = anAgentWithProcess({ onDisconnect: "keep" }).later(5_000).renewed(FENCED);
    const kept = { onDisconnect: "keep", stage: "unknown" } as const;
    bench.saw(onNode(kept), 13).later(30_000);
    expect(bench.all("stop-process")).toEqual([]);
    bench.saw(onNode({ ...kept, session: 2 }), 14).reportLanded(15);
    expect(bench.all("stop-process")).toEqual([]);
    bench.saw(onNode({ ...kept, stage: "released", node: undefined }), 15);
    expect(bench.all("stop-process")).toHaveLength(1);
  });

  test("starts nothing until the new session is granted [AG1]", () => {
    const bench = anAgent([onNode()]).later(5_000).renewed(FENCED);
    bench.saw(onNode({ stage: "starting" }), 12);
    expect(bench.all("start-process")).toEqual([]);
  });
});
