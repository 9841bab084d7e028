import { describe, expect, test } from "vitest";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import {
  AgentHarness,
  anAgent,
  anAgentWithProcess,
  onNode,
} from "../../../test/builders/an-agent.ts";
import type { Uid } from "../model/ids.ts";
import { reportOperation } from "../protocol/operations.ts";

const KEY = onNode().key;
const STOPPING = { reason: "surplus", sinceMs: 0 } as const;

const adoptedProcess = (
  of: { leashed?: boolean; permittedAt?: number; incarnation?: number; uid?: Uid } = {},
) => ({
  replica: KEY,
  uid: of.uid ?? onNode().meta.uid,
  incarnation: of.incarnation ?? 1,
  permittedAt: of.permittedAt ?? 5,
  leashed: of.leashed ?? true,
  asked: onNode().spec.template.ask.amounts,
});

/** An agent that was restarted and found a process running. */
const restarted = (of: Parameters<typeof adoptedProcess>[0] = {}): AgentHarness =>
  new AgentHarness()
    .adopted({ processes: [adoptedProcess(of)] })
    .give({ kind: "started" })
    .renewed();

describe("starting a process", () => {
  test("begins with a claim, and nothing runs before it is committed [AG1]", () => {
    const harness = anAgent([onNode()]);
    expect(harness.reports).toEqual(["starting"]);
    expect(harness.all("start-process")).toEqual([]);
    harness.reportLanded(12);
    expect(harness.all("start-process")).toEqual([]);
  });

  test("happens once the committed claim is in the view [AG1]", () => {
    const claimed = onNode({ stage: "starting", command: ["run", "it"] });
    const harness = anAgent([onNode({ command: ["run", "it"] })])
      .reportLanded(12)
      .saw(claimed, 12);
    expect(harness.all("start-process")).toMatchObject([
      {
        replica: KEY,
        incarnation: 1,
        permittedAt: 12,
        leashed: true,
        template: { command: ["run", "it"] },
      },
    ]);
  });

  test("does not happen when the claim was refused [AG1]", () => {
    const harness = anAgent([onNode()]);
    const call = harness.all("request").at(-1)!.call;
    const outcome = aRefusal("session-ended");
    harness.give({ kind: "reply", call, reply: { kind: "outcome", outcome, epoch: 1 } });
    harness.later(60_000);
    expect(harness.all("start-process")).toEqual([]);
  });

  test("is not even claimed without a lease, and waits with that reason [AG1]", () => {
    const harness = new AgentHarness().adopted().give({ kind: "started" }).listed([onNode()]);
    expect(harness.reports).toEqual([]);
    expect(harness.agent.owed()).toMatchObject([
      { key: KEY, reason: "no-lease", deadlineMs: 5_000 },
    ]);
    expect(harness.renewed().reports).toEqual(["starting"]);
  });

  test("waits when the lease has ended since the claim [AG1]", () => {
    const harness = anAgent([onNode()]).reportLanded(12);
    harness.now = 15_000;
    harness.saw(onNode({ stage: "starting" }), 12);
    expect(harness.all("start-process")).toEqual([]);
    harness.renewed();
    expect(harness.all("start-process")).toHaveLength(1);
  });

  test("happens under a leash unless the workload keeps running when disconnected [AG2]", () => {
    const harness = anAgentWithProcess({ onDisconnect: "keep" });
    expect(harness.all("start-process")).toMatchObject([{ leashed: false }]);
  });

  test("is claimed again, as the same operation, when the claim was lost [AG1]", () => {
    const harness = anAgent([onNode()]);
    const claim = harness.all("request").at(-1)!;
    harness.give({ kind: "reply", call: claim.call, reply: { kind: "unavailable" } }).later(100);
    expect(harness.reports).toEqual(["starting", "starting"]);
    expect(harness.all("start-process")).toEqual([]);
    expect(harness.lately("request")).toMatchObject([
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
    const harness = anAgent([onNode()]);
    const { call } = harness.all("request").at(-1)!;
    harness.now = 15_000;
    harness.give({ kind: "reply", call, reply: { kind: "unavailable" } }).later(100);
    expect(harness.reports).toEqual(["starting"]);
    expect(harness.agent.owed()).toMatchObject([{ reason: "no-lease", deadlineMs: 20_100 }]);
  });

  test("is given up when the replica is asked to stop before the claim is committed [AG1]", () => {
    const harness = anAgent([onNode()]).saw(onNode({ stopping: STOPPING }), 11);
    const { call } = harness.all("request").at(-1)!;
    const outcome = aRefusal("wrong-stage");
    harness.give({ kind: "reply", call, reply: { kind: "outcome", outcome, epoch: 1 } });
    expect(harness.reports).toEqual(["starting", "released"]);
    expect(harness.all("start-process")).toEqual([]);
  });

  test("is not begun for a replica that was asked to stop before [AG1]", () => {
    const harness = anAgent([onNode({ stopping: STOPPING })]);
    expect(harness.reports).toEqual(["released"]);
    expect(harness.all("start-process")).toEqual([]);
  });

  test("does not happen twice in one incarnation: a process that is missing has failed [AG1]", () => {
    for (const stage of ["starting", "ready", "serving", "running"] as const) {
      expect(anAgent([onNode({ stage })]).reports).toEqual(["failed"]);
    }
  });

  test("tells the driver who it is and what was bound to it", () => {
    const devices = { deviceIds: ["g-1"] };
    const harness = anAgent([onNode(devices)]).reportLanded(12);
    harness.saw(onNode({ stage: "starting", ...devices }), 12);
    expect(harness.all("start-process")).toMatchObject([
      { uid: onNode().meta.uid, workload: "api", index: 0, deviceIds: ["g-1"] },
    ]);
  });

  test("is no business of ours on another node or in another session [LS1]", () => {
    const others = [onNode({ index: 1, node: "b-1" }), onNode({ index: 2, session: 7 })];
    expect(anAgent(others).reports).toEqual([]);
  });
});

describe("stopping a process", () => {
  test("that was asked to stop ends in released, whatever its exit code [ST1]", () => {
    const harness = anAgentWithProcess().saw(onNode({ stage: "starting", stopping: STOPPING }), 13);
    expect(harness.lately("stop-process")).toMatchObject([{ replica: KEY, incarnation: 1 }]);
    expect(harness.agent.owed()).toMatchObject([{ reason: "stopping" }]);
    expect(harness.exited(143).reports.at(-1)).toBe("released");
  });

  test("happens when its replica has left the node [AG4]", () => {
    const harness = anAgentWithProcess().saw(onNode({ stage: "released", node: undefined }), 13);
    expect(harness.lately("stop-process")).toHaveLength(1);
  });

  test("does not happen on a list older than the commit that permitted its start [AG4]", () => {
    const harness = restarted({ permittedAt: 50 }).listed([], 49);
    expect(harness.agent.owed()).toMatchObject([{ key: KEY, deadlineMs: 5_000 }]);
    harness.give({ kind: "watch", commits: [], to: 49, epoch: 1 }).later(5_000);
    expect(harness.all("stop-process")).toEqual([]);
    harness.give({ kind: "watch", commits: [], to: 50, epoch: 1 }).later(5_000);
    expect(harness.all("stop-process")).toHaveLength(1);
  });

  test("happens on a list as new as that commit, which would have named it [AG4]", () => {
    const harness = restarted({ permittedAt: 50 }).listed([], 50).later(0);
    expect(harness.all("stop-process")).toHaveLength(1);
  });

  test("happens to an earlier incarnation's process, and the new incarnation starts when it is gone [AG4]", () => {
    const harness = anAgentWithProcess().saw(onNode({ incarnation: 2 }), 13);
    expect(harness.lately("stop-process")).toMatchObject([{ replica: KEY, incarnation: 1 }]);
    expect(harness.reports).toEqual(["starting"]);
    harness.exited(143, KEY, 1);
    expect(harness.reports).toEqual(["starting", "starting"]);
  });

  test("happens to a namesake's process, leashed or kept, and the replica starts its own [AG7]", () => {
    for (const leashed of [true, false]) {
      const harness = restarted({ leashed, uid: "of-the-one-before" as Uid });
      const onDisconnect = leashed ? "stop" : "keep";
      harness.listed([onNode({ onDisconnect })], 10);
      expect(harness.all("stop-process")).toMatchObject([{ replica: KEY, incarnation: 1 }]);
      expect(harness.reports).toEqual([]);
      harness.exited(143);
      expect(harness.reports).toEqual(["starting"]);
    }
  });

  test("does not happen to a process whose replica is still bound here, found after a restart [AG4]", () => {
    const harness = restarted({ permittedAt: 5 }).listed([onNode({ stage: "serving" })], 10);
    expect(harness.all("stop-process")).toEqual([]);
    expect(harness.reports).toEqual([]);
    expect(harness.all("probe-process")).toHaveLength(1);
  });
});

const setTo = (harness: AgentHarness): number | undefined => harness.lately("timer").at(-1)?.atMs;

describe("the one timer", () => {
  test("is set for the renewal that is due next", () => {
    const harness = new AgentHarness().adopted();
    expect(setTo(harness)).toBe(1_000);
    harness.give({ kind: "started" }).renewed().listed().later(2_000);
    expect(setTo(harness)).toBe(5_000);
    expect(setTo(harness.later(3_000))).toBe(6_000);
  });

  test("is set for the runner's list, too, and set anew when it has fired", () => {
    const harness = new AgentHarness().adopted().give({ kind: "started" }).renewed();
    expect(setTo(harness)).toBe(2_000);
    expect(setTo(harness.listed())).toBeUndefined();
    expect(setTo(harness.later(2_000))).toBe(5_000);
  });

  test("is set for the next probe of a process that exists", () => {
    const harness = anAgentWithProcess();
    expect(setTo(harness)).toBe(500);
    harness.exited(1).later(500);
    expect(setTo(harness)).toBe(1_000);
  });

  test("renews nothing for an agent that was not told its session yet", () => {
    const harness = new AgentHarness().give({ kind: "started" });
    expect(setTo(harness)).toBe(2_000);
    expect(harness.renewals).toEqual([]);
  });
});
