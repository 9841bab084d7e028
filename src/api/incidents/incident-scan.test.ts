import { describe, expect, it } from "vitest";
import { aCommit } from "../../../test/builders/a-commit.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { ALL_INDEXES } from "../../core/model/index-set.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject, ReplicaStatus } from "../../core/model/objects.ts";
import type { Recovering } from "../../core/model/recovery.ts";
import type { RolloutStage } from "../../core/model/rollout.ts";
import { IncidentScan, type ScannedCommit } from "./incident-scan.ts";

const node = (health: "ready" | "suspect" | "unknown" | "fenced", healthSinceMs: number) =>
  aNode({ health, healthSinceMs });

const replica = (of: Partial<ReplicaStatus>) => aReplica({ node: "a-1", ...of });

const rolling = (stage: RolloutStage | undefined, sinceMs: number) =>
  aWorkload({
    status:
      stage === undefined
        ? {}
        : {
            rollout: {
              stage,
              to: stage === "rolling" ? 2 : 1,
              begun: ALL_INDEXES,
              old: [],
              step: 0,
              sinceMs,
              ...(stage === "rolling" ? {} : { reason: "api.2.0 has failed." }),
            },
          },
  });

function recovering(of: Partial<Recovering> | undefined) {
  if (of === undefined) return aWorkload({ name: "db", status: { recovery: {} } });
  const under: Recovering = {
    beganMs: 100,
    lost: 2,
    stage: "queued",
    since: { atMs: 100, epoch: 1 },
    spentMs: {},
    ...of,
  };
  return aWorkload({ name: "db", status: { recovery: { under } } });
}

/** One commit every 10 ms; `undefined` deletes the node. */
const STORY: readonly (AnyObject | undefined)[] = [
  node("ready", 10),
  replica({ stage: "starting" }),
  node("suspect", 30),
  node("fenced", 40),
  rolling("rolling", 50),
  replica({ stage: "failed", stageSinceMs: 60, failures: 1 }),
  node("fenced", 40),
  replica({ stage: "starting", failures: 1 }),
  replica({ stage: "failed", stageSinceMs: 90, failures: 2, lastEnd: "exit code 3." }),
  rolling("going-back", 100),
  recovering({}),
  replica({ stage: "starting", failures: 2 }),
  replica({ stage: "serving", failures: 2 }),
  recovering({ missed: "queued" }),
  replica({ stage: "failed", stageSinceMs: 150, failures: 3, lastEnd: "exit code 4." }),
  rolling("going-back", 100),
  node("ready", 170),
  recovering({ missed: "queued", stage: "starting" }),
  replica({ stage: "serving", failures: 3 }),
  rolling("rolled-back", 100),
  recovering(undefined),
  rolling(undefined, 0),
  replica({ stage: "failed", stageSinceMs: 230, failures: 1 }),
  node("fenced", 240),
  undefined,
  rolling("held", 260),
];

/** With the value that each commit replaced, as commits in memory have it. */
function inMemory(): readonly ScannedCommit[] {
  const held = new Map<ObjectKey, AnyObject>();
  return STORY.map((object, at) => {
    const key = object?.key ?? aNode().key;
    const before = held.get(key);
    if (object !== undefined) held.set(key, object);
    return {
      ...aCommit({ revision: at + 1, atMs: (at + 1) * 10 }),
      changes: [{ key, before, after: object }],
    };
  });
}

const COMMITS = inMemory();
const stored = (commit: ScannedCommit): ScannedCommit => ({
  ...commit,
  changes: commit.changes.map(({ key, after }) => ({ key, after })),
});

/** Begins after this many commits, goes back to the first, and then on to the last. */
function scanned(from: number, read: (commit: ScannedCommit) => ScannedCommit) {
  const scan = new IncidentScan();
  for (const commit of COMMITS.slice(0, from).toReversed()) scan.older(read(commit));
  for (const commit of COMMITS.slice(from)) scan.newer(read(commit));
  return scan.found
    .map(({ kind, key, began, ended }) => [kind, key, began.revision, ended?.revision])
    .toSorted((a, b) => Number(a[2]) - Number(b[2]));
}

const EXPECTED = [
  ["NodeFenced", "Node//a-1", 4, 17],
  ["CrashLoop", "Replica/payments/api.1.0", 9, 19],
  ["RolloutFailed", "Workload/payments/api", 10, 20],
  ["ObjectiveMissed", "Workload/payments/db", 14, 21],
  ["NodeFenced", "Node//a-1", 24, 25],
  ["RolloutFailed", "Workload/payments/api", 26, undefined],
];

describe("IncidentScan", () => {
  it("finds where each incident began and ended, wherever it begins to look", () => {
    for (let from = 0; from <= COMMITS.length; from += 1) {
      expect(
        scanned(from, (commit) => commit),
        `from ${from}`,
      ).toEqual(EXPECTED);
    }
  });

  it("finds the same in commits that do not say what they replaced", () => {
    for (let from = 0; from <= COMMITS.length; from += 1) {
      expect(scanned(from, stored), `from ${from}`).toEqual(EXPECTED);
    }
  });

  it("tells each in a sentence, about the workload of a replica", () => {
    const scan = new IncidentScan();
    for (const commit of COMMITS) scan.newer(commit);
    expect(scan.found.map(({ subject, text }) => `${subject}: ${text}`)).toEqual([
      "Node//a-1: a-1 was fenced: its lease ended, and the plane treats its processes as gone.",
      "Workload/payments/api: api.1.0 has failed 3 times in a row: exit code 4.",
      "Workload/payments/api: Its rollout failed, and it goes back to generation 1: api.2.0 has failed.",
      "Workload/payments/db: 2 replicas were lost and not back in time; most of the time went to the stage queued.",
      "Node//a-1: a-1 was fenced: its lease ended, and the plane treats its processes as gone.",
      "Workload/payments/api: Its rollout failed, and its replicas stay as they are: api.2.0 has failed.",
    ]);
  });
});
