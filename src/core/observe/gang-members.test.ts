import { expect, test } from "vitest";
import { aReplica, type ReplicaParts } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Uid } from "../model/ids.ts";
import { gangMembers } from "./gang-members.ts";
import { ObjectIndex } from "./object-index.ts";

function membersOf(replicas: number, ...parts: readonly ReplicaParts[]) {
  const objects = new ObjectIndex();
  for (const of of parts) {
    const after = aReplica(of);
    objects.fold({ key: after.key, before: undefined, after });
  }
  const { queued, missing } = gangMembers(aWorkload({ replicas }), objects);
  return { queued: queued.map(({ spec }) => spec.index), missing };
}

test("a gang is complete when each of it waits for a node, has one, or has succeeded [GA1]", () => {
  const stages = ["queued", "serving", "unknown", "succeeded"] as const;
  const parts = stages.map((stage, index) => ({ index, stage, node: "a-1" }));
  expect(membersOf(4, ...parts)).toEqual({ queued: [0], missing: [] });
});

test("those that are not there, or not for long, are missing [GA1]", () => {
  const stopping = { reason: "drain", sinceMs: 0 } as const;
  expect(
    membersOf(
      5,
      { index: 0, stage: "admitted" },
      { index: 1, stage: "failed" },
      { index: 2, stage: "serving", node: "a-1", stopping },
      { index: 3, stage: "queued", workloadUid: "of-a-namesake" as Uid },
    ),
  ).toEqual({ queued: [], missing: [0, 1, 2, 3, 4] });
});

test("indexes beyond the desired number and of another template are none of it [GA1]", () => {
  expect(membersOf(1, { stage: "queued" }, { index: 1 }, { index: 0, generation: 2 })).toEqual({
    queued: [0],
    missing: [],
  });
});
