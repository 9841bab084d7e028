import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { AnyObject } from "../model/objects.ts";
import { ObjectIndex } from "../observe/object-index.ts";
import { planDrain, type PlannedMove } from "./plan-drain.ts";

function indexOf(...objects: readonly AnyObject[]): ObjectIndex {
  const index = new ObjectIndex();
  for (const after of objects) index.fold({ key: after.key, before: undefined, after });
  return index;
}

const on = (index: number, of: object = {}) =>
  aReplica({ index, stage: "serving", node: "a-1", cpuMillis: 400, ...of });

function plan(objects: ObjectIndex): readonly PlannedMove[] {
  const steps = planDrain(objects, "a-1");
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

const planned = (...objects: readonly AnyObject[]) =>
  plan(indexOf(...objects)).map(({ replica, when, to, rejected }) => {
    const name = replica.split("/").at(-1);
    const rules = Object.entries(rejected ?? {}).map(([rule, { count }]) => `${rule} ${count}`);
    return `${name} ${when} ${to ?? `nowhere: ${rules.join(", ")}`}`;
  });

describe("planDrain()", () => {
  test("places one after the other, and says which rules turn away who finds no room", () => {
    const small = aNode({ name: "a-2", cpuMillis: 500 });
    expect(planned(aNode(), small, aWorkload({ replicas: 2 }), on(0), on(1))).toEqual([
      "api.1.0 now a-2",
      "api.1.1 waits nowhere: capacity 1",
    ]);
  });

  test("tells who waits for its workload from who may leave, and who leaves already", () => {
    const workload = aWorkload({ replicas: 3, disruption: { maxUnavailable: 2 } });
    const leaving = on(2, { stopping: { reason: "drain", sinceMs: 0 } });
    const wide = aNode({ name: "a-2", cpuMillis: 9_000 });
    expect(planned(aNode(), wide, workload, on(0), on(1), leaving)).toEqual([
      "api.1.2 stopping a-2",
      "api.1.0 now a-2",
      "api.1.1 waits a-2",
    ]);
  });

  test("is no place for itself, and changes nothing that it looked at", () => {
    const objects = indexOf(aNode(), aWorkload(), on(0));
    expect(plan(objects)[0]?.to).toBeUndefined();
    expect(objects.replicasOn("a-1").size).toBe(1);
    expect(objects.node(aNode().key)?.spec.draining).toBe(false);
  });

  test("[HB5] comes in steps, each of a bounded number of objects, and is of the moment of the first", () => {
    const waiting = Array.from({ length: 2_500 }, (_, at) =>
      aReplica({ index: 10 + at, stage: "queued" }),
    );
    const objects = indexOf(aNode(), aWorkload(), on(0), on(1), ...waiting);
    const steps = planDrain(objects, "a-1");
    const whole = plan(objects);
    let taken = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      taken += 1;
      // What leaves meanwhile is not missed.
      objects.fold({ key: on(0).key, before: undefined, after: undefined });
    }
    expect(step.value).toEqual(whole);
    // Two thousands of objects, and each of two replicas.
    expect(taken).toBe(4);
  });
});
