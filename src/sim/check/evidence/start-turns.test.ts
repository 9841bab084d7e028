import { expect, test } from "vitest";
import { aView } from "../../../../test/builders/a-view.ts";
import { LOAD_LIMITS } from "../../../core/model/limits/load-limits.ts";
import { type ObjectKey, operationId, replicaKey, type Uid } from "../../../core/model/ids.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aBeliever, aReplica } from "../../../../test/builders/check/fixtures.ts";
import { createStartTurnsChecker } from "./start-turns.ts";

const AGENT = "agent:node-1";
const CROWD = 2 * LOAD_LIMITS.startsAtOnce.value;

const keyOf = (tenant: string, index: number): ObjectKey =>
  replicaKey({ tenant, workload: "w", generation: 1, index });

/** Binds one replica of each index to the agent's node. */
function bind(harness: CheckerHarness, tenant: string, indexes: number): void {
  for (let index = 0; index < indexes; index += 1) {
    const key = keyOf(tenant, index);
    const bound = aReplica({ status: { stage: "bound", node: "node-1", session: 1 } });
    const meta = { ...bound.meta, namespace: tenant };
    harness.commit({ put: [{ ...bound, key, meta }], role: "place" });
  }
}

function claim(harness: CheckerHarness, tenant: string, index: number, basis: number): void {
  const operation = operationId(`claim ${tenant} ${index}`);
  const replica = keyOf(tenant, index);
  const of = { replica, uid: "u1" as Uid, incarnation: 1, node: "node-1", session: 1 };
  const intent = { kind: "report", operation, ...of, stage: "starting" } as const;
  const actor = { role: "agent", name: AGENT } as const;
  const command = { intent, epoch: 1, basis, actor };
  const request = { kind: "command", attempt: 1, command } as const;
  harness.checker.requested?.(AGENT, operation, 1, harness, harness.report, request);
}

function crowded(): CheckerHarness {
  const harness = new CheckerHarness(createStartTurnsChecker());
  bind(harness, "loud", CROWD);
  bind(harness, "quiet", 1);
  return harness;
}

test("[LB5] an agent that starts one tenant's replicas while another's waits is found", () => {
  const harness = crowded();
  for (let index = 0; index < CROWD; index += 1) claim(harness, "loud", index, 1_000);
  expect(harness.found[0]).toMatch(/^LB5 .* starts of loud while one of quiet waited/);
});

test("[LB5] turns are right, and so is an agent that does not know yet of who waits", () => {
  const turns = crowded();
  for (let index = 0; index < CROWD; index += 1) {
    claim(turns, "loud", index, 1_000);
    if (index === 3) claim(turns, "quiet", 0, 1_000);
  }
  const early = crowded();
  for (let index = 0; index < CROWD; index += 1) claim(early, "loud", index, CROWD);
  expect([...turns.found, ...early.found]).toEqual([]);
});

test("[LB5] one that has begun there before may have to wait for its own end", () => {
  const harness = crowded();
  claim(harness, "quiet", 0, 1_000);
  bind(harness, "quiet", 1);
  for (let index = 0; index < CROWD; index += 1) claim(harness, "loud", index, 1_000);
  expect(harness.found).toEqual([]);
});

test("[LB5] a blind agent is not shown who waits; one that is shown it is found (seed 237)", () => {
  const quiet = { ...aReplica({ status: { stage: "bound", node: "node-1", session: 1 } }) };
  const shown = { ...quiet, key: keyOf("quiet", 0), meta: { ...quiet.meta, namespace: "quiet" } };
  const interest = { kinds: new Set(["Replica"] as const), node: "node-1" };
  const foundBy = (objects: readonly (typeof shown)[]): readonly string[] => {
    const harness = crowded();
    harness.everyClient = [aBeliever({ name: AGENT, view: aView({ interest }, objects) })];
    for (let index = 0; index < CROWD; index += 1) claim(harness, "loud", index, 1_000);
    return harness.found;
  };
  expect(foundBy([])).toEqual([]);
  expect(foundBy([shown])[0]).toMatch(/^LB5 .* starts of loud while one of quiet waited/);
});
