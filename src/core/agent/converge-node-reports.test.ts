import { describe, expect, test } from "vitest";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import { anAgentWithProcess, onNode } from "../../../test/builders/an-agent.ts";
import { reportOperation } from "../protocol/operations.ts";

const KEY = onNode().key;
const no = (said: string) =>
  ({ kind: "probed", replica: KEY, incarnation: 1, ready: false, said }) as const;
const STOPPING = { reason: "surplus", sinceMs: 0 } as const;

describe("telling what a process does", () => {
  test("goes from ready to serving, each under its own operation [ST1]", () => {
    const harness = anAgentWithProcess().probed(true);
    expect(harness.reports.at(-1)).toBe("ready");
    const ready = onNode({ stage: "ready", revision: 13 });
    harness.reportLanded(13).saw(ready, 13);
    expect(harness.reports.at(-1)).toBe("serving");
    expect(harness.all("request").at(-1)).toMatchObject({
      request: {
        command: {
          intent: {
            operation: reportOperation(ready, "serving"),
            session: 1,
            incarnation: 1,
            uid: ready.meta.uid,
          },
        },
      },
    });
    harness.reportLanded(14).saw(onNode({ stage: "serving" }), 14);
    expect(harness.reports).toEqual(["starting", "ready", "serving"]);
  });

  test("says running of a batch, and starting of a process that is not ready any more [ST1]", () => {
    const batch = anAgentWithProcess({ type: "batch" }).probed(true);
    expect(batch.reports.at(-1)).toBe("running");
    const service = anAgentWithProcess().probed(true).reportLanded(13);
    service.saw(onNode({ stage: "ready" }), 13).reportLanded(14);
    service.saw(onNode({ stage: "serving" }), 14).probed(false);
    expect(service.reports.at(-1)).toBe("starting");
  });

  test("tells what a probe found when it takes a replica out of ready, and only then [EV9]", () => {
    const harness = anAgentWithProcess().heard(no("it is 503 while it starts"));
    expect(harness.reports).toEqual(["starting"]);
    harness
      .probed(true)
      .reportLanded(13)
      .saw(onNode({ stage: "ready" }), 13);
    harness.reportLanded(14).saw(onNode({ stage: "serving" }), 14);
    const before = harness.reports.length;
    harness.heard(no("GET / is 500"));
    expect(harness.all("request").at(-1)).toMatchObject({
      request: { command: { intent: { stage: "starting", reason: "GET / is 500" } } },
    });
    harness
      .reportLanded(15)
      .saw(onNode({ stage: "starting" }), 15)
      .heard(no("GET / is 502"));
    expect(harness.reports).toHaveLength(before + 1);
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
    const harness = anAgentWithProcess();
    harness.now = 15_000;
    harness.exited(137);
    expect(harness.reports.at(-1)).toBe("released");
  });

  test("says where the process is reached, once the driver has told", () => {
    const address = { host: "10.0.0.7", ports: { http: 8080 } };
    const harness = anAgentWithProcess();
    harness.heard({ kind: "alive", replica: KEY, incarnation: 1, address }).probed(true);
    expect(harness.all("request").at(-1)).toMatchObject({
      request: { command: { intent: { stage: "ready", address } } },
    });
  });

  test("does not take what another incarnation's process does for news of this one [ST3]", () => {
    const harness = anAgentWithProcess({ incarnation: 1 });
    const before = harness.reports.length;
    harness.exited(1, KEY, 2).probed(true, KEY, 2);
    expect(harness.reports).toHaveLength(before);
  });

  test("says released of a process that ended by itself while it was asked to stop [ST1]", () => {
    const harness = anAgentWithProcess().exited(1);
    const { call } = harness.all("request").at(-1)!;
    harness.saw(onNode({ stage: "starting", stopping: STOPPING }), 13);
    const outcome = aRefusal("wrong-stage");
    harness.give({ kind: "reply", call, reply: { kind: "outcome", outcome, epoch: 1 } });
    expect(harness.reports).toEqual(["starting", "failed", "released"]);
  });

  test("does not take a process for ready that is stopping or gone [ST1]", () => {
    const harness = anAgentWithProcess().saw(onNode({ stage: "starting", stopping: STOPPING }), 13);
    harness.probed(true);
    expect(harness.reports).toEqual(["starting"]);
    expect(harness.exited(0).probed(true).reports).toEqual(["starting", "released"]);
  });

  test("asks no more once the process is stopping or gone", () => {
    const gone = anAgentWithProcess().exited(1);
    const stopping = anAgentWithProcess().saw(
      onNode({ stage: "starting", stopping: STOPPING }),
      13,
    );
    for (const harness of [gone, stopping]) {
      const asked = harness.all("probe-process").length;
      harness.later(500).later(10_000);
      expect(harness.all("probe-process")).toHaveLength(asked);
    }
  });

  test("asks a starting process often and a ready one seldom", () => {
    const harness = anAgentWithProcess();
    expect(harness.all("probe-process")).toHaveLength(1);
    harness.later(500);
    expect(harness.all("probe-process")).toHaveLength(2);
    harness.probed(true).later(500).later(500);
    expect(harness.all("probe-process")).toHaveLength(3);
    harness.later(10_000);
    expect(harness.all("probe-process")).toHaveLength(4);
  });
});
