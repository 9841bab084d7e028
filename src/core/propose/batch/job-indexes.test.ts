import { describe, expect, test } from "vitest";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../../test/builders/a-workload.ts";
import type { Job } from "../../model/batch.ts";
import type { ObjectKey, Uid } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import type { Stage } from "../../model/stage.ts";
import { ObjectIndex } from "../../observe/object-index.ts";
import { JobIndexes } from "./job-indexes.ts";

const job = (completions: number, parallelism: number): Job =>
  aWorkload({ type: "batch", batch: { completions, parallelism }, uid: "u1" as Uid }) as Job;

const replica = (index: number, stage: Stage, workloadUid = "u1" as Uid): Replica => {
  const made = aReplica({ index, stage });
  return { ...made, spec: { ...made.spec, type: "batch", workloadUid } };
};

/** Counts how many replicas somebody looks at. */
class CountedIndex extends ObjectIndex {
  looks = 0;

  override replica(key: ObjectKey): Replica | undefined {
    this.looks += 1;
    return super.replica(key);
  }

  put(...replicas: readonly Replica[]): void {
    for (const after of replicas) this.fold({ key: after.key, before: undefined, after });
  }
}

describe("the indexes of a job that are worth a look", () => {
  test("are those that may begin, however many there are [BA1]", () => {
    const objects = new CountedIndex();
    const indexes = new JobIndexes();
    const large = job(100_000, 2);
    const done = Array.from({ length: 5_000 }, (_, index) => replica(index, "succeeded"));
    objects.put(...done);
    expect(indexes.survey(large, objects)).toMatchObject({
      indexes: [5_000, 5_001],
      incarnations: 2,
    });
    objects.looks = 0;
    objects.put(replica(5_000, "running"));
    expect(indexes.survey(large, objects)).toMatchObject({ indexes: [5_001], incarnations: 1 });
    // One of 100,000 completions costs what may live at once, not what there is.
    expect(objects.looks).toBeLessThan(10);
  });

  test("pass over what a namesake left there, and come back to it when it is gone [BA1]", () => {
    const objects = new CountedIndex();
    const indexes = new JobIndexes();
    const left = replica(0, "released", "u0" as Uid);
    objects.put(left);
    expect(indexes.survey(job(3, 2), objects).indexes).toEqual([1, 2]);
    objects.fold({ key: left.key, before: left, after: undefined });
    expect(indexes.survey(job(3, 2), objects).indexes).toEqual([0, 1]);
  });

  test("begin nothing new while very many wait for another try [BA1]", () => {
    const objects = new CountedIndex();
    objects.put(...Array.from({ length: 1_025 }, (_, index) => replica(index, "failed")));
    const { indexes } = new JobIndexes().survey(job(2_000, 5), objects);
    expect(indexes).toHaveLength(1_025);
    expect(indexes.at(-1)).toBe(1_024);
  });
});
