import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Uid } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";
import { isResting, STAGES } from "../model/stage.ts";
import { ObjectIndex } from "./object-index.ts";

const workload = aWorkload({ type: "batch", uid: "u1" as Uid, templateGeneration: 2 });

const step = fc.record({
  index: fc.nat(5),
  generation: fc.integer({ min: 1, max: 2 }),
  uid: fc.constantFrom("u0" as Uid, "u1" as Uid),
  stage: fc.constantFrom(...STAGES, undefined),
  failures: fc.nat(2),
  type: fc.constantFrom("batch" as const, "batch" as const, "service" as const),
});

const inOrder = (of: Iterable<number> = []): number[] => [...of].toSorted((a, b) => a - b);
const at = (of: readonly Replica[]): number[] => inOrder(of.map(({ spec }) => spec.index));

function counted(replicas: readonly Replica[]) {
  const own = replicas.filter(
    ({ spec }) => spec.type === "batch" && spec.workloadUid === "u1" && spec.generation === 2,
  );
  const resting = own.filter(({ status }) => ["failed", "released"].includes(status.stage));
  return {
    live: at(own.filter(({ status }) => !isResting(status.stage))),
    succeeded: own.filter(({ status }) => status.stage === "succeeded").length,
    failures: own.reduce((sum, { status }) => sum + status.failures, 0),
    resting: [0, 1, 2].map((failures) =>
      at(resting.filter(({ status }) => status.failures === failures)),
    ),
    old: replicas.filter(
      ({ spec, status }) =>
        spec.workloadUid === "u1" &&
        (spec.generation === 1 || spec.type === "service") &&
        !isResting(status.stage),
    ).length,
    isAlone: own.length === replicas.length,
  };
}

describe("the counts of a job", () => {
  test("property: says what counting all of its replicas would say, whatever happened to them, also when it was a service", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const objects = new ObjectIndex();
        for (const { index, generation, uid, stage, failures, type } of steps) {
          const made = aReplica({ index, generation, stage: stage ?? "queued" });
          const after: Replica = {
            ...made,
            meta: { ...made.meta, uid: `r-${uid}-${index}` as Uid },
            spec: { ...made.spec, type, workloadUid: uid, generation },
            status: { ...made.status, failures },
          };
          const change = { key: made.key, before: undefined };
          objects.fold({ ...change, after: stage === undefined ? undefined : after });
        }
        const counts = objects.jobs.of(workload);
        expect({
          live: inOrder(counts.live),
          succeeded: counts.succeeded,
          failures: counts.failures,
          resting: [0, 1, 2].map((failures) => inOrder(counts.resting.get(failures))),
          old: objects.jobs.oldIncarnations(workload),
          isAlone: objects.jobs.isAlone(workload),
        }).toEqual(counted([...objects.replicasOf(workload.key).values()]));
      }),
    );
  });
});
