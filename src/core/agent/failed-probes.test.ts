import { describe, expect, test } from "vitest";
import { type AgentHarness, anAgentWithProcess, onNode } from "../../../test/builders/an-agent.ts";
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";

const FIRST_MS = LOAD_LIMITS.probeFirstMs.value;
const CHANGED_MS = LOAD_LIMITS.probeChangedMs.value;
const AGAIN_MS = LOAD_LIMITS.probeAgainMs.value;
const KEY = onNode().key;

/** Keeps its lease, so that only the probes decide what is reported. */
function fails(harness: AgentHarness, said: string, atMs: number): AgentHarness {
  while (harness.now + 5_000 < atMs) harness.later(5_000).renewed();
  harness.now = atMs;
  return harness.heard({ kind: "probed", replica: KEY, incarnation: 1, ready: false, said });
}

/** The plane has committed the newest report at this revision, and the agent sees it. */
function shown(harness: AgentHarness, revision: number): AgentHarness {
  const { said, times } = harness.lastReport!.probe!;
  const failingProbe = { said, times, sinceMs: 1, toldMs: revision };
  return harness
    .reportLanded(revision)
    .saw(onNode({ stage: "starting", failingProbe, revision }), revision);
}

describe("probes that fail in a row", () => {
  test("are reported once they have failed for a while, with their number [EV10]", () => {
    const harness = fails(anAgentWithProcess(), "GET / is 503", 500);
    fails(harness, "GET / is 502", FIRST_MS + 499);
    expect(harness.reports).toEqual(["starting"]);
    fails(harness, "GET / is 503", FIRST_MS + 500);
    expect(harness.lastReport).toMatchObject({
      stage: "starting",
      probe: { said: "GET / is 503", times: 3, forMs: FIRST_MS },
    });
  });

  test("are reported again when one found something else, and not at once [EV10]", () => {
    const harness = fails(anAgentWithProcess(), "refused", 0);
    shown(fails(harness, "refused", FIRST_MS), 13);
    const atMs = FIRST_MS + CHANGED_MS;
    fails(fails(harness, "it is 503", FIRST_MS + 1), "it is 502", atMs - 1);
    expect(harness.reports).toHaveLength(2);
    fails(harness, "it is 503", atMs);
    expect(harness.lastReport?.probe).toMatchObject({ said: "it is 503", times: 5 });
    expect(harness.reports).toHaveLength(3);
  });

  test("are reported seldom while they find the same [EV10]", () => {
    const harness = fails(anAgentWithProcess(), "refused", 0);
    shown(fails(harness, "refused", FIRST_MS), 13);
    fails(harness, "refused", FIRST_MS + AGAIN_MS - 1);
    expect(harness.reports).toHaveLength(2);
    fails(harness, "refused", FIRST_MS + AGAIN_MS);
    expect(harness.lastReport?.probe).toMatchObject({ said: "refused", times: 4 });
  });

  test("are counted from one again after a success [EV10]", () => {
    const harness = fails(anAgentWithProcess(), "refused", 0).probed(true);
    harness.reportLanded(13).saw(onNode({ stage: "ready", revision: 13 }), 13);
    harness.reportLanded(14).saw(onNode({ stage: "serving", revision: 14 }), 14);
    fails(harness, "it is 503", 1_000);
    expect(harness.lastReport).toMatchObject({
      stage: "starting",
      reason: "it is 503",
      probe: { said: "it is 503", times: 1, forMs: 0 },
    });
  });
});
