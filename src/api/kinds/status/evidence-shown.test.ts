import { describe, expect, test } from "vitest";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import { probeEvidence, replicaEvidence } from "./evidence-shown.ts";

describe("the latest evidence about a replica", () => {
  test("is its agent's report while it runs, which permits nothing [EV8]", () => {
    expect(replicaEvidence(aReplica({ stage: "serving", node: "n1" }))).toMatchObject({
      kind: "report",
      message: "The agent of n1 reported it serving.",
      permits: "nothing",
      source: "agent:n1",
    });
  });

  test("is its node's silence while that lasts [EV8]", () => {
    expect(replicaEvidence(aReplica({ stage: "unknown", node: "n1" }))).toMatchObject({
      kind: "node-silent",
      permits: "nothing before its node is fenced",
    });
  });

  test("is how its process ended, in its agent's words [EV8]", () => {
    const failed = aReplica({ stage: "failed", lastEnd: "its process ended with exit code 3" });
    expect(
      replicaEvidence({ ...failed, status: { ...failed.status, lastNode: "n1" } }),
    ).toMatchObject({
      kind: "process-exit",
      message: "its process ended with exit code 3",
      permits: "restarting it",
      source: "agent:n1",
    });
  });

  test.each([
    ["node-fenced", "node-fenced: n3 session 2, lease silent for 19.2 s"],
    ["node-vanished", "node-vanished: n3 was deleted, and its lease is over"],
    ["agent-forgot", "agent-forgot: the agent of n3 does not know of it"],
  ])("is the cause of its release when its end was not seen: %s [EV8]", (kind, lastEnd) => {
    expect(replicaEvidence(aReplica({ stage: "released", lastEnd }))).toMatchObject({
      kind,
      message: lastEnd,
      source: "the authority",
    });
  });

  test("has beside it the probe that took it out of ready, and what that permits [EV9]", () => {
    const unready = { said: "GET / is 503", sinceMs: 1_000 };
    const starting = aReplica({ stage: "starting", node: "n1", unready });
    expect(probeEvidence(starting)).toEqual({
      kind: "probe",
      message: "A probe failed: GET / is 503.",
      permits: "sending it no requests; its process stays",
      source: "agent:n1",
      since: "1970-01-01T00:00:01.000Z",
    });
    const again = aReplica({ stage: "serving", node: "n1", unready });
    expect(probeEvidence(again)).toMatchObject({ kind: "probe", permits: "nothing" });
    expect(probeEvidence(aReplica({ stage: "serving", node: "n1" }))).toBeUndefined();
  });

  test("is why its index was given to another, for as long as it may run [DC2]", () => {
    const evidence = { kind: "replace-after", node: "n1", session: 1 } as const;
    const replaced = aReplica({
      stage: "unknown",
      node: "n1",
      superseded: { evidence, sinceMs: 0 },
    });
    expect(replicaEvidence(replaced)).toMatchObject({
      kind: "replace-after",
      permits: "replacing it; it keeps its node and its quota",
    });
  });

  test("is none before anything was heard", () => {
    expect(replicaEvidence(aReplica({ stage: "queued" }))).toBeUndefined();
  });
});
