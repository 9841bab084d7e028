import { describe, expect, test } from "vitest";
import { type AgentHarness, anAgentWithProcess, onNode } from "../../../test/builders/an-agent.ts";

const KEY = onNode().key;

const ended = (of: { code: number; onRequest?: true; reason?: string }) =>
  anAgentWithProcess().heard({ kind: "exited", replica: KEY, incarnation: 1, ...of }).lastReport;

describe("the end of a process", () => {
  test("without a stop request is a failure, with its code and signal", () => {
    expect(ended({ code: 3 })).toMatchObject({
      stage: "failed",
      reason: "its process ended with exit code 3",
    });
    expect(ended({ code: 137 })?.reason).toBe(
      "its process ended with exit code 137 (signal 9, SIGKILL)",
    );
    expect(ended({ code: 200 })?.reason).toBe("its process ended with exit code 200 (signal 72)");
    expect(ended({ code: 127 })?.reason).toBe(
      "its process ended with exit code 127 (its command was not found)",
    );
  });

  test("that was asked for and had to be forced says so, and is no failure", () => {
    const reason = "its process did not stop within 10 s of SIGTERM and was killed";
    const forced = ended({ code: 137, onRequest: true, reason });
    expect(forced).toMatchObject({ stage: "released", reason });
  });

  test("is told in the driver's words where it has some", () => {
    const reason = "There is no user web on this node.";
    expect(ended({ code: 126, reason })).toMatchObject({ stage: "failed", reason });
  });

  test("that an agent asked for before it was itself told to stop is no failure [AG8]", () => {
    expect(ended({ code: 143, onRequest: true })).toMatchObject({
      stage: "released",
      reason: "its process stopped on request",
    });
  });

  test("that the leash brought about is no failure [AG2]", () => {
    const harness = anAgentWithProcess();
    harness.now = 15_000;
    expect(harness.exited(137).lastReport).toMatchObject({
      stage: "released",
      reason: "its node's lease expired, so the agent stopped its process",
    });
  });
});

/** For a moment; the authority hears of both. */
function becomesUnready(harness: AgentHarness): void {
  harness
    .probed(false)
    .reportLanded(15)
    .saw(onNode({ stage: "starting" }), 15);
  harness
    .probed(true)
    .reportLanded(16)
    .saw(onNode({ stage: "serving" }), 16);
}

/** Ready at 0, with a lease for as long as the test looks. */
function readyFor(ms: number, unreadyAtMs?: number): AgentHarness {
  const harness = anAgentWithProcess().probed(true).reportLanded(13);
  harness
    .saw(onNode({ stage: "ready" }), 13)
    .reportLanded(14)
    .saw(onNode({ stage: "serving" }), 14);
  for (let passed = 0; passed < ms; passed += 5_000) {
    harness.later(5_000).renewed();
    if (harness.now === unreadyAtMs) becomesUnready(harness);
    else harness.probed(true);
  }
  return harness;
}

describe("a failure after ten minutes without trouble", () => {
  test("is a first one again [ST4]", () => {
    const stable = readyFor(600_000).exited(1);
    expect(stable.lastReport).toMatchObject({ stage: "failed", wasStable: true });
    const early = readyFor(595_000).exited(1);
    expect(early.lastReport).toMatchObject({ stage: "failed" });
    expect(early.lastReport).not.toHaveProperty("wasStable");
  });

  test("is not, when the process was unready in between [ST4]", () => {
    const report = readyFor(600_000, 300_000).exited(1).lastReport;
    expect(report).not.toHaveProperty("wasStable");
  });
});
