import { expect, test } from "vitest";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload, aWorkloadSpec } from "../../../test/builders/a-workload.ts";
import type { Intent } from "../../core/protocol/command.ts";
import type { Request } from "../../core/kernel/component.ts";
import { operationId } from "../../core/model/ids.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { restated } from "./restated.ts";

const here = aReplica({ index: 0, stage: "serving", node: "n1" });
const come = aReplica({ index: 1, stage: "serving", node: "n1" });
const gone = aReplica({ index: 2, stage: "serving", node: "n2" });
const workload = aWorkload();
const objects = new ObjectIndex();
for (const after of [here, come, gone, workload]) {
  objects.fold({ key: after.key, before: undefined, after });
}

const asking = (intent: Intent): Request => ({
  kind: "command",
  attempt: 1,
  command: { intent, epoch: 1, basis: 40, actor: { role: "user", name: "ana" } },
});

const intentOf = (request: Request): Intent | undefined =>
  request.kind === "command" ? request.command.intent : undefined;

test("an agent lists what this run has on its node, as of a revision of this run [PY11]", () => {
  const intent = {
    kind: "lease",
    operation: operationId("lease/n1/1.1"),
    node: "n1",
    session: 1,
    seq: 1,
    kept: [],
    inventory: { asOf: 40, replicas: [here.key, gone.key] },
  } as const;
  const wereOn = new Set([here.key, gone.key]);
  const said = restated(asking(intent), { cue: { wasCommitted: true, wereOn }, shift: 3, objects });
  expect(intentOf(said)).toEqual({
    ...intent,
    inventory: { asOf: 43, replicas: [here.key, come.key] },
  });
  expect(said).toMatchObject({ command: { basis: 43 } });
  // What it had forgotten then it has forgotten now.
  const inventory = { asOf: 40, replicas: [gone.key] };
  const cue = { wasCommitted: true, wereOn };
  const forgot = restated(asking({ ...intent, inventory }), { cue, shift: 3, objects });
  expect(intentOf(forgot)).toMatchObject({ inventory: { replicas: [come.key] } });
});

test.each([
  [true, workload.meta.revision],
  [false, 7],
])(
  "a write as of the newest version is as of the newest again, one that was too late stays so: committed %s [PY9]",
  (wasCommitted, revision) => {
    const intent: Intent = {
      kind: "put",
      operation: operationId("put/1"),
      key: workload.key,
      desired: { kind: "Workload", spec: aWorkloadSpec() },
      labels: {},
      finalizers: [],
      expect: { revision: 7 },
    };
    const run = { cue: { wasCommitted }, shift: 0, objects };
    expect(workload.meta.revision).not.toBe(7);
    expect(intentOf(restated(asking(intent), run))).toEqual({ ...intent, expect: { revision } });
  },
);
