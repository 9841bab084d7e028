import { describe, expect, test } from "vitest";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import {
  AgentBench,
  anAgent,
  anAgentWithProcess,
  onNode,
} from "../../../test/builders/an-agent.ts";
import { reportOperation } from "../operations.ts";

const KEY = onNode().key;
const STOPPING = { reason: "surplus", sinceMs: 0 } as const;
const FENCED = aRefusal("node-fenced", { expected: "session after 1" });

const adoptedProcess = (of: { leashed?: boolean; permittedAt?: number; life?: number } = {}) => ({
  replica: KEY,
  life: of.life ?? 1,
  permittedAt: of.permittedAt ?? 5,
  leashed: of.leashed ?? true,
});

/** An agent that was restarted and found a process running. */
const restarted = (of: Parameters<typeof adoptedProcess>[0] = {}): AgentBench =>
  new AgentBench()
    .adopted({ processes: [adoptedProcess(of)] })
    .give({ kind: "started" })
    .renewed();

describe("starting a process", () => {
  test("begins with a claim, and nothing runs before it is committed [AG1]", () => {
    const bench = anAgent([onNode()]);
    expect(bench.reports).toEqual(["starting"]);
    expect(bench.all("start-process")).toEqual([]);
    bench.reportLanded(12);
    expect(bench.all("start-process")).toEqual([]);
  });

  test("happens once the committed claim is in the view [AG1]", () => {
    const claimed = onNode({ stage: "starting", command: ["run", "it"] });
    const bench = anAgent([onNode({ command: ["run", "it"] })])
      .reportLanded(12)
      .saw(claimed, 12);
    expect(bench.all("start-process")).toMatchObject([
      {
        replica: KEY,
        life: 1,
        permittedAt: 12,
        leashed: true,
        template: { command: ["run", "it"] },
      },
    ]);
  });

  test("does not happen when the claim was refused [AG1]", () => {
    const bench = anAgent([onNode()]);
    const call = bench.all("request").at(-1)!.call;
    const outcome = aRefusal("session-ended");
    bench.give({ kind: "reply", call, reply: { kind: "outcome", outcome, epoch: 1 } });
    bench.later(60_000);
    expect(bench.all("start-process")).toEqual([]);
  });

  test("is not even claimed without a lease, and waits with that reason [AG1]", () => {
    const bench = new AgentBench().adopted().give({ kind: "started" }).listed([onNode()]);
    expect(bench.reports).toEqual([]);
    expect(bench.agent.owed()).toMatchObject([{ key: KEY, reason: "no-lease", deadlineMs: 5_000 }]);
    expect(bench.renewed().reports).toEqual(["starting"]);
  });

  test("waits when the lease has ended since the claim [AG1]", () => {
    const bench = anAgent([onNode()]).reportLanded(12);
    bench.now = 15_000;
    bench.saw(onNode({ stage: "starting" }), 12);
    expect(bench.all("start-process")).toEqual([]);
    bench.renewed();
    expect(bench.all("start-process")).toHaveLength(1);
  });

  test("happens under a leash unless the workload keeps running when disconnected [AG2]", () => {
    const bench = anAgentWithProcess({ onDisconnect: "keep" });
    expect(bench.all("start-process")).toMatchObject([{ leashed: false }]);
  });

  test("is claimed again, as the same operation, when the claim was lost [AG1]", () => {
    const bench = anAgent([onNode()]);
    const claim = bench.all("request").at(-1)!;
    bench.give({ kind: "reply", call: claim.call, reply: { kind: "unavailable" } }).later(100);
    expect(bench.reports).toEqual(["starting", "starting"]);
    expect(bench.all("start-process")).toEqual([]);
    expect(bench.lately("request")).toMatchObject([
      {
        request: {
          command: {
            intent: {
              operation: reportOperation(onNode(), "starting"),
            },
          },
        },
      },
    ]);
  });

  test("waits for the lease when the claim was lost together with it [AG1]", () => {
    const bench = anAgent([onNode()]);
    const { call } = bench.all("request").at(-1)!;
    bench.now = 15_000;
    bench.give({ kind: "reply", call, reply: { kind: "unavailable" } }).later(100);
    expect(bench.reports).toEqual(["starting"]);
    expect(bench.agent.owed()).toMatchObject([{ reason: "no-lease", deadlineMs: 20_100 }]);
  });

  test("is given up when the replica is asked to stop before the claim is committed [AG1]", () => {
    const bench = anAgent([onNode()]).saw(onNode({ stopping: STOPPING }), 11);
    const { call } = bench.all("request").at(-1)!;
    const outcome = aRefusal("wrong-stage");
    bench.give({ kind: "reply", call, reply: { kind: "outcome", outcome, epoch: 1 } });
    expect(bench.reports).toEqual(["starting", "released"]);
    expect(bench.all("start-process")).toEqual([]);
  });

  test("is not begun for a replica that was asked to stop before [AG1]", () => {
    const bench = anAgent([onNode({ stopping: STOPPING })]);
    expect(bench.reports).toEqual(["released"]);
    expect(bench.all("start-process")).toEqual([]);
  });

  test("does not happen twice in one life: a process that is missing has failed [AG1]", () => {
    for (const stage of ["starting", "ready", "serving", "running"] as const) {
      expect(anAgent([onNode({ stage })]).reports).toEqual(["failed"]);
    }
  });

  test("is no business of ours on another node or in another session [LS1]", () => {
    const others = [onNode({ slot: 1, node: "b-1" }), onNode({ slot: 2, session: 7 })];
    expect(anAgent(others).reports).toEqual([]);
  });
});

describe("telling what a process does", () => {
  test("goes from ready to serving, each under its own operation [ST1]", () => {
    const bench = anAgentWithProcess().probed(true);
    expect(bench.reports.at(-1)).toBe("ready");
    const ready = onNode({ stage: "ready", revision: 13 });
    bench.reportLanded(13).saw(ready, 13);
    expect(bench.reports.at(-1)).toBe("serving");
    expect(bench.all("request").at(-1)).toMatchObject({
      request: {
        command: { intent: { operation: reportOperation(ready, "serving"), session: 1, life: 1 } },
      },
    });
    bench.reportLanded(14).saw(onNode({ stage: "serving" }), 14);
    expect(bench.reports).toEqual(["starting", "ready", "serving"]);
  });

  test("says running of a batch, and starting of a process that is not ready any more [ST1]", () => {
    const batch = anAgentWithProcess({ type: "batch" }).probed(true);
    expect(batch.reports.at(-1)).toBe("running");
    const service = anAgentWithProcess().probed(true).reportLanded(13);
    service.saw(onNode({ stage: "ready" }), 13).reportLanded(14);
    service.saw(onNode({ stage: "serving" }), 14).probed(false);
    expect(service.reports.at(-1)).toBe("starting");
  });

  test.each([
    { title: "a batch that ended well succeeded [ST1]", type: "batch", code: 0, said: "succeeded" },
    { title: "a batch that ended badly failed [ST1]", type: "batch", code: 3, said: "failed" },
    {
      title: "a service that ended by itself failed [ST1]",
      type: "service",
      code: 0,
      said: "failed",
    },
  ] as const)("$title", ({ type, code, said }) => {
    expect(anAgentWithProcess({ type }).exited(code).reports.at(-1)).toBe(said);
  });

  test("says released of a process that its leash killed [AG2]", () => {
    const bench = anAgentWithProcess();
    bench.now = 15_000;
    bench.exited(137);
    expect(bench.reports.at(-1)).toBe("released");
  });

  test("says where the process is reached, once the driver has told", () => {
    const address = { host: "10.0.0.7", ports: { http: 8080 } };
    const bench = anAgentWithProcess();
    bench.heard({ kind: "alive", replica: KEY, life: 1, address }).probed(true);
    expect(bench.all("request").at(-1)).toMatchObject({
      request: { command: { intent: { stage: "ready", address } } },
    });
  });

  test("does not take what another life's process does for news of this one [ST3]", () => {
    const bench = anAgentWithProcess({ life: 1 });
    const before = bench.reports.length;
    bench.exited(1, KEY, 2).probed(true, KEY, 2);
    expect(bench.reports).toHaveLength(before);
  });

  test("says released of a process that ended by itself while it was asked to stop [ST1]", () => {
    const bench = anAgentWithProcess().exited(1);
    const { call } = bench.all("request").at(-1)!;
    bench.saw(onNode({ stage: "starting", stopping: STOPPING }), 13);
    const outcome = aRefusal("wrong-stage");
    bench.give({ kind: "reply", call, reply: { kind: "outcome", outcome, epoch: 1 } });
    expect(bench.reports).toEqual(["starting", "failed", "released"]);
  });

  test("does not take a process for ready that is stopping or gone [ST1]", () => {
    const bench = anAgentWithProcess().saw(onNode({ stage: "starting", stopping: STOPPING }), 13);
    bench.probed(true);
    expect(bench.reports).toEqual(["starting"]);
    expect(bench.exited(0).probed(true).reports).toEqual(["starting", "released"]);
  });

  test("asks no more once the process is stopping or gone", () => {
    const gone = anAgentWithProcess().exited(1);
    const stopping = anAgentWithProcess().saw(
      onNode({ stage: "starting", stopping: STOPPING }),
      13,
    );
    for (const bench of [gone, stopping]) {
      const asked = bench.all("probe-process").length;
      bench.later(500).later(10_000);
      expect(bench.all("probe-process")).toHaveLength(asked);
    }
  });

  test("asks a starting process often and a ready one seldom", () => {
    const bench = anAgentWithProcess();
    expect(bench.all("probe-process")).toHaveLength(1);
    bench.later(500);
    expect(bench.all("probe-process")).toHaveLength(2);
    bench.probed(true).later(500).later(500);
    expect(bench.all("probe-process")).toHaveLength(3);
    bench.later(10_000);
    expect(bench.all("probe-process")).toHaveLength(4);
  });
});

describe("stopping a process", () => {
  test("that was asked to stop ends in released, whatever its exit code [ST1]", () => {
    const bench = anAgentWithProcess().saw(onNode({ stage: "starting", stopping: STOPPING }), 13);
    expect(bench.lately("stop-process")).toMatchObject([{ replica: KEY, life: 1 }]);
    expect(bench.agent.owed()).toMatchObject([{ reason: "stopping" }]);
    expect(bench.exited(143).reports.at(-1)).toBe("released");
  });

  test("happens when its replica has left the node [AG4]", () => {
    const bench = anAgentWithProcess().saw(onNode({ stage: "released", node: undefined }), 13);
    expect(bench.lately("stop-process")).toHaveLength(1);
  });

  test("does not happen on a list older than the commit that permitted its start [AG4]", () => {
    const bench = restarted({ permittedAt: 50 }).listed([], 49);
    expect(bench.agent.owed()).toMatchObject([{ key: KEY, deadlineMs: 5_000 }]);
    bench.give({ kind: "watch", commits: [], to: 49, epoch: 1 }).later(5_000);
    expect(bench.all("stop-process")).toEqual([]);
    bench.give({ kind: "watch", commits: [], to: 50, epoch: 1 }).later(5_000);
    expect(bench.all("stop-process")).toHaveLength(1);
  });

  test("happens on a list as new as that commit, which would have named it [AG4]", () => {
    const bench = restarted({ permittedAt: 50 }).listed([], 50).later(0);
    expect(bench.all("stop-process")).toHaveLength(1);
  });

  test("happens to an earlier life's process, and the new life starts when it is gone [AG4]", () => {
    const bench = anAgentWithProcess().saw(onNode({ life: 2 }), 13);
    expect(bench.lately("stop-process")).toMatchObject([{ replica: KEY, life: 1 }]);
    expect(bench.reports).toEqual(["starting"]);
    bench.exited(143, KEY, 1);
    expect(bench.reports).toEqual(["starting", "starting"]);
  });

  test("does not happen to a process whose replica is still bound here, found after a restart [AG4]", () => {
    const bench = restarted({ permittedAt: 5 }).listed([onNode({ stage: "serving" })], 10);
    expect(bench.all("stop-process")).toEqual([]);
    expect(bench.reports).toEqual([]);
    expect(bench.all("probe-process")).toHaveLength(1);
  });
});

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

const setTo = (bench: AgentBench): number | undefined => bench.lately("timer").at(-1)?.atMs;

describe("the one timer", () => {
  test("is set for the renewal that is due next", () => {
    const bench = new AgentBench().adopted();
    expect(setTo(bench)).toBe(1_000);
    bench.give({ kind: "started" }).renewed().listed().later(2_000);
    expect(setTo(bench)).toBe(5_000);
    expect(setTo(bench.later(3_000))).toBe(6_000);
  });

  test("is set for the runner's list, too, and set anew when it has fired", () => {
    const bench = new AgentBench().adopted().give({ kind: "started" }).renewed();
    expect(setTo(bench)).toBe(2_000);
    expect(setTo(bench.listed())).toBeUndefined();
    expect(setTo(bench.later(2_000))).toBe(5_000);
  });

  test("is set for the next probe of a process that exists", () => {
    const bench = anAgentWithProcess();
    expect(setTo(bench)).toBe(500);
    bench.exited(1).later(500);
    expect(setTo(bench)).toBe(1_000);
  });

  test("renews nothing for an agent that was not told its session yet", () => {
    const bench = new AgentBench().give({ kind: "started" });
    expect(setTo(bench)).toBe(2_000);
    expect(bench.renewals).toEqual([]);
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
