import { describe, expect, test } from "vitest";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import { anAgentWithProcess, onNode } from "../../../test/builders/an-agent.ts";
import { reportOperation } from "../protocol/operations.ts";

const KEY = onNode().key;
const no = (said: string) =>
  ({ kind: "probed", replica: KEY, life: 1, ready: false, said }) as const;
const STOPPING = { reason: "surplus", sinceMs: 0 } as const;

describe("telling what a process does", () => {
  test("goes from ready to serving, each under its own operation [ST1]", () => {
    const bench = anAgentWithProcess().probed(true);
    expect(bench.reports.at(-1)).toBe("ready");
    const ready = onNode({ stage: "ready", revision: 13 });
    bench.reportLanded(13).saw(ready, 13);
    expect(bench.reports.at(-1)).toBe("serving");
    expect(bench.all("request").at(-1)).toMatchObject({
      request: {
        command: {
          intent: {
            operation: reportOperation(ready, "serving"),
            session: 1,
            life: 1,
            uid: ready.meta.uid,
          },
        },
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

  test("tells what a probe found when it takes a replica out of ready, and only then [EV9]", () => {
    const bench = anAgentWithProcess().heard(no("it is 503 while it starts"));
    expect(bench.reports).toEqual(["starting"]);
    bench
      .probed(true)
      .reportLanded(13)
      .saw(onNode({ stage: "ready" }), 13);
    bench.reportLanded(14).saw(onNode({ stage: "serving" }), 14);
    const before = bench.reports.length;
    bench.heard(no("GET / is 500"));
    expect(bench.all("request").at(-1)).toMatchObject({
      request: { command: { intent: { stage: "starting", reason: "GET / is 500" } } },
    });
    bench
      .reportLanded(15)
      .saw(onNode({ stage: "starting" }), 15)
      .heard(no("GET / is 502"));
    expect(bench.reports).toHaveLength(before + 1);
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
