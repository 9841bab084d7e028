import { describe, expect, it } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { keyOf } from "../../core/model/ids.ts";
import type { AnyObject, Slo } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { readSlosWith } from "../kinds/status/slo-status.ts";
import { ProblemList } from "./problem-list.ts";

function aSlo(name: string): Slo {
  const key = keyOf({ kind: "Slo", namespace: "", name });
  const spec = { indicator: "bind-latency", threshold: 100, objective: 990_000 } as const;
  return { kind: "Slo", key, meta: aMeta(key), spec: { ...spec, windowMs: 60_000 }, status: {} };
}

function aList(...put: readonly AnyObject[]) {
  const objects = new ObjectIndex();
  for (const after of put) objects.fold({ key: after.key, before: undefined, after });
  const decisions = { about: () => [], onAdd: () => () => {}, owedAbout: () => [] };
  const clock = { nowMs: 1_000_000 };
  const plane = { objects, decisions, revision: 7 };
  return { list: new ProblemList(plane as never, () => clock.nowMs), objects, clock, plane };
}

/** Workloads with a replica each that has failed once. */
const failing = (count: number): readonly AnyObject[] =>
  Array.from({ length: count }, (_, at) => {
    const name = `w${String(at).padStart(5, "0")}`;
    const replica = aReplica({ workload: name, stage: "failed", failures: 1 });
    return [aWorkload({ name }), replica];
  }).flat();

describe("ProblemList", () => {
  it("[AP239] names an objective whose error budget is spent first, and none that has some left", async () => {
    const { list, objects } = aList(aSlo("fast"), aSlo("slow"), ...failing(1));
    readSlosWith(objects, ({ meta }) => ({
      measured: 10,
      good: meta.name === "slow" ? 0.5 : 1,
      budgetLeft: meta.name === "slow" ? -49 : 1,
      burn5m: 0,
      burn1h: 0,
      sinceMs: 0,
    }));
    const { problems, count, revision } = await list.read();
    expect(problems.map(({ of, name, reason }) => [of, name, reason])).toEqual([
      ["objective", "slow", "ObjectiveMissed"],
      ["workload", "w00000", "Failed"],
    ]);
    expect(problems[0]?.message).toBe(
      "Only 50% of the samples of bind-latency are good; its error budget is spent.",
    );
    expect([count, revision]).toEqual([2, 7]);
  });

  it("[AP239] shows the worst twelve of many and counts all", async () => {
    const looping = aReplica({ workload: "w00020", index: 1, stage: "failed", failures: 4 });
    const { list } = aList(...failing(30), looping);
    const { problems, count } = await list.read();
    expect(count).toBe(30);
    expect(problems).toHaveLength(12);
    expect(problems.slice(0, 2).map(({ name, reason }) => [name, reason])).toEqual([
      ["w00020", "CrashLoop"],
      ["w00000", "Failed"],
    ]);
  });

  it("[AP314] lets others have their turn while it looks at many workloads", async () => {
    const { list } = aList(...failing(3_000));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      waiting = setImmediate(count);
    };
    let waiting = setImmediate(count);
    const { count: found } = await list.read();
    clearImmediate(waiting);
    expect(found).toBe(3_000);
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it("[AP314] makes one walk at a time: callers that come meanwhile share the next one", async () => {
    const { list, plane } = aList(...failing(1_000));
    const first = list.read();
    plane.revision = 8;
    const others = [list.read(), list.read(), list.read()];
    expect((await first).revision).toBe(7);
    const answers = await Promise.all(others);
    expect(answers.map(({ revision }) => revision)).toEqual([8, 8, 8]);
    expect(list.walks).toBe(2);
  });

  it("walks again after a commit, or when the answer is a second old", async () => {
    const { list, clock, plane } = aList(...failing(10));
    await list.read();
    clock.nowMs += 999;
    await list.read();
    expect(list.walks).toBe(1);
    clock.nowMs += 1;
    await list.read();
    expect(list.walks).toBe(2);
    plane.revision += 1;
    await list.read();
    expect(list.walks).toBe(3);
  });
});
