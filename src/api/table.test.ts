import { expect, test } from "vitest";
import { aPlane } from "../../test/builders/a-plane.ts";
import { workloadKind } from "./kinds/workload.ts";
import { toApiObject } from "./metadata.ts";
import { type IncludeObject, toTable } from "./table.ts";

function tableWith(includeObject: IncludeObject) {
  const plane = aPlane({ desired: { replicas: 4 } });
  plane.serving({ index: 0 });
  plane.serving({ index: 1 });
  plane.bound({ index: 2 });
  plane.queued(3);
  const { objects } = plane.ledger;
  const object = plane.workload();
  return toTable({
    columns: workloadKind.columns,
    rows: [{ object, shown: toApiObject(workloadKind, object, objects) }],
    objects,
    includeObject,
    nowMs: 310_000,
    metadata: { resourceVersion: "7" },
  });
}

test("a table has the name first, the kind's own columns and the age last", () => {
  const table = tableWith("Metadata");
  expect(table).toMatchObject({
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: { resourceVersion: "7" },
  });
  expect(table.columnDefinitions.map(({ name, priority }) => [name, priority])).toEqual([
    ["Name", 0],
    ["Ready", 0],
    ["Stages", 0],
    ["Reason", 0],
    ["Generation", 0],
    ["Type", 1],
    ["Priority", 1],
    ["Recovery", 1],
    ["Command", 1],
    ["Age", 0],
  ]);
  expect(table.rows[0]!.cells).toEqual([
    "api",
    "2/4",
    "queued 1 bound 1 serving 2",
    "WaitingForNode",
    1,
    "service",
    "",
    "",
    "serve",
    "5m10s",
  ]);
});

test("every column has the fields that clients read", () => {
  for (const column of tableWith("None").columnDefinitions) {
    expect(Object.keys(column).toSorted()).toEqual([
      "description",
      "format",
      "name",
      "priority",
      "type",
    ]);
  }
});

test("a row carries metadata, the whole object or nothing, as the client asks", () => {
  expect(tableWith("None").rows[0]).not.toHaveProperty("object");
  const partial = tableWith("Metadata").rows[0]!.object;
  expect(partial).toMatchObject({
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: { name: "api", namespace: "payments" },
  });
  expect(partial).not.toHaveProperty("spec");
  expect(tableWith("Object").rows[0]!.object).toMatchObject({
    kind: "Workload",
    spec: { replicas: 4 },
  });
});
