import { describe, expect, test } from "vitest";
import type { ObjectKey } from "../../../core/model/ids.ts";
import type { Replica, Template } from "../../../core/model/objects.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { createDisconnectsChecker } from "./disconnects.ts";
import {
  aLease,
  aNode,
  aProcess,
  aReplica,
  aTemplate,
  bound,
  freed,
  withStatus,
} from "../../../../test/builders/check/fixtures.ts";

const AT = { node: "node-1", session: 1 } as const;
const REPLACED = { evidence: { kind: "replace-after", ...AT }, sinceMs: 0 } as const;

const keeping = (of: Partial<Template> = {}): Replica =>
  aReplica({
    spec: { template: aTemplate({ onDisconnect: "keep", replaceAfterMs: 30_000, ...of }) },
  });

const second = (of: Replica, status: Partial<Replica["status"]> = {}): Replica => {
  const key = `${of.key}.r` as ObjectKey;
  const meta = { ...of.meta, name: `${of.meta.name}.r` };
  return withStatus({ ...of, key, meta }, { incarnation: 2, ...status });
};

/** A replica on node-1, which was heard of at time 0 and is fenced since. */
function cutOff(replica: Replica): CheckerHarness {
  const harness = new CheckerHarness(createDisconnectsChecker());
  harness.commit({ put: [aNode(), aNode({ name: "node-2" })] });
  harness.commit({ command: "lease", role: "agent", put: [aLease()] });
  harness.commit({ command: "bind", put: [bound(replica, "node-1", { stage: "serving" })] });
  harness.nowMs = 20_000;
  harness.commit({
    command: "transition",
    put: [aNode({ status: { health: "fenced" } }), bound(replica, "node-1", { stage: "unknown" })],
  });
  return harness;
}

function replace(harness: CheckerHarness, replica: Replica, nowMs: number): string[] {
  harness.nowMs = nowMs;
  harness.commit({
    command: "release",
    role: "release-lost",
    evidence: REPLACED.evidence,
    put: [bound(replica, "node-1", { stage: "unknown", superseded: REPLACED })],
  });
  return harness.found;
}

describe("giving an index to another", () => {
  test("is fine after the time that the workload waits [INV70]", () => {
    expect(replace(cutOff(keeping()), keeping(), 30_000)).toEqual([]);
  });

  test("is reported when the silence was shorter [INV70]", () => {
    expect(replace(cutOff(keeping()), keeping(), 25_000)).toEqual([
      "INV70 Replica/payments/api.1.0 was given up after node-1 was silent for 25000 ms; its workload waits 30000 ms.",
    ]);
  });

  test.each([{ onDisconnect: "stop" }, { replaceAfterMs: undefined }])(
    "is reported when the workload never said so: %j [INV70]",
    (of) => {
      const replica = keeping(of as Partial<Template>);
      expect(replace(cutOff(replica), replica, 90_000)).toEqual([
        "INV70 Replica/payments/api.1.0 was replaced though its workload never said so.",
      ]);
    },
  );

  test("is reported when the node is not fenced [INV70]", () => {
    const harness = cutOff(keeping());
    harness.commit({ put: [aNode({ status: { health: "unknown" } })] });
    expect(replace(harness, keeping(), 90_000)).toEqual([
      "INV70 Replica/payments/api.1.0 was replaced though node-1 is not fenced.",
    ]);
  });
});

describe("two of an index", () => {
  test("are fine when one of them was replaced, and their processes with them [INV70]", () => {
    const harness = cutOff(keeping());
    harness.start(aProcess({ leashed: false }));
    replace(harness, keeping(), 30_000);
    harness.commit({ command: "enqueue", put: [second(keeping(), { stage: "queued" })] });
    harness.start(aProcess({ replica: second(keeping()).key, incarnation: 2, node: "node-2" }));
    expect(harness.found).toEqual([]);
  });

  test("are reported when neither was replaced [INV70]", () => {
    const harness = cutOff(keeping());
    harness.start(aProcess({ leashed: false }));
    const other = second(keeping());
    harness.commit({ command: "enqueue", put: [withStatus(other, { stage: "queued" })] });
    harness.start(aProcess({ replica: other.key, incarnation: 2, node: "node-2" }));
    expect(harness.found).toEqual([
      "INV70 Replica/payments/api.1.0.r stands for its index beside Replica/payments/api.1.0.",
      "INV70 Replica/payments/api.1.0.r was started on node-2 while Replica/payments/api.1.0 runs on node-1, and neither was replaced.",
    ]);
  });
});

/**
 * The original is back in its stage, and its replacement is there in its own; then one of them
 * goes.
 */
function settle(of: {
  readonly reconcile: NonNullable<Template["reconcile"]>;
  readonly stays: "original" | "replacement";
  readonly original?: Replica["status"]["stage"];
  readonly replacement?: Replica["status"]["stage"];
}): string[] {
  const replica = keeping({ reconcile: of.reconcile });
  const harness = cutOff(replica);
  replace(harness, replica, 30_000);
  const stage = of.original ?? "serving";
  const original = bound(replica, "node-1", { stage, session: 2, superseded: REPLACED });
  const beside = second(replica, {
    stage: of.replacement ?? "serving",
    node: "node-2",
    session: 1,
  });
  harness.commit({ put: [beside] });
  harness.commit({ put: [aNode({ status: { session: 2 } }), original] });
  const [stays, goes] = of.stays === "original" ? [original, beside] : [beside, original];
  const evidence = { kind: "reconciled", stays: stays.key } as const;
  const stopping = { reason: "replaced", sinceMs: 0 } as const;
  const superseded = goes.status.superseded ?? { evidence, sinceMs: 0 };
  harness.commit({
    command: "evict",
    role: "release-lost",
    operation: "settle",
    evidence,
    put: [
      withStatus(goes, { stopping, superseded }),
      ...(stays === original ? [withStatus(original, { superseded: undefined })] : []),
    ],
  });
  return harness.found;
}

describe("who stays", () => {
  test("is fine when it is who the workload says [INV70]", () => {
    expect(settle({ reconcile: "keep-original", stays: "original" })).toEqual([]);
    expect(settle({ reconcile: "keep-replacement", stays: "replacement" })).toEqual([]);
    expect(settle({ reconcile: "best", stays: "original" })).toEqual([]);
    const lame = { reconcile: "best", stays: "replacement", original: "starting" } as const;
    expect(settle(lame)).toEqual([]);
  });

  test("is reported when it is the other one [INV70]", () => {
    expect(settle({ reconcile: "keep-original", stays: "replacement" })).toEqual([
      "INV70 settle: the original was to stay.",
    ]);
    expect(settle({ reconcile: "keep-replacement", stays: "original" })).toEqual([
      "INV70 settle: the replacement was to stay.",
    ]);
    expect(settle({ reconcile: "best", stays: "replacement" })).toEqual([
      "INV70 settle: the original serves as well.",
    ]);
  });

  test("is reported when one that serves goes for one that does not [INV70]", () => {
    const early = { reconcile: "keep-original", stays: "original", original: "unknown" } as const;
    expect(settle(early)).toEqual([
      "INV70 settle: a replica that serves goes for one that does not.",
    ]);
  });
});

const stopping = (replaceAfterMs?: number): Replica =>
  aReplica({ spec: { template: aTemplate(replaceAfterMs ? { replaceAfterMs } : {}) } });

function release(replica: Replica): string[] {
  const harness = cutOff(replica);
  const evidence = { kind: "node-fenced", ...AT } as const;
  harness.commit({ command: "release", evidence, put: [freed(replica)] });
  return harness.found;
}

describe("a replica that stops", () => {
  test("is moved when its node is fenced, unless its workload waits for longer [INV70]", () => {
    expect(release(stopping())).toEqual([]);
    expect(release(stopping(60_000))).toEqual([
      "INV70 Replica/payments/api.1.0 was given up after node-1 was silent for 20000 ms; its workload waits 60000 ms.",
    ]);
  });

  test("begins anew where it was in a new session, and by nothing else [INV70]", () => {
    const harness = cutOff(stopping(60_000));
    const anew = bound(stopping(60_000), "node-1", { incarnation: 2, session: 2 });
    harness.commit({
      command: "lease",
      role: "agent",
      put: [aLease("node-1", { session: 2 }), anew],
    });
    expect(harness.found).toEqual([]);
    harness.commit({ command: "bind", put: [withStatus(anew, { incarnation: 3 })] });
    expect(harness.found).toEqual([
      "INV70 Replica/payments/api.1.0 began a new incarnation without giving up its node.",
    ]);
  });
});
