import { expect, test } from "vitest";
import { aPlane, Plane, putting, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { aWorkloadSpec } from "../../../../test/builders/a-workload.ts";
import { tenantKey } from "../../model/ids.ts";
import type { Meta } from "../../model/objects.ts";

const TENANT = tenantKey("payments");
const tenant = putting(TENANT, { kind: "Tenant", spec: { displayName: "Payments" } });
const notes = { annotations: { "example.com/note": "a" }, managedFields: "[]" };

const metaOf = (plane: Plane): Meta => plane.get(TENANT)!.meta;

test("a new object carries the annotations and field owners it was put with", () => {
  const plane = new Plane();
  plane.must({ ...tenant, ...notes });
  expect(metaOf(plane)).toMatchObject(notes);
});

test("an object that was put without annotations has no such field", () => {
  const plane = new Plane();
  plane.must(tenant);
  expect(metaOf(plane)).not.toHaveProperty("annotations");
  expect(metaOf(plane)).not.toHaveProperty("managedFields");
});

test("a put that says nothing about annotations keeps them", () => {
  const plane = new Plane();
  plane.must({ ...tenant, ...notes });
  plane.must({ ...tenant, labels: { team: "core" } });
  expect(metaOf(plane)).toMatchObject({ ...notes, labels: { team: "core" } });
});

test("a put replaces annotations as a whole, each of the two by itself", () => {
  const plane = new Plane();
  plane.must({ ...tenant, ...notes });
  plane.must({ ...tenant, annotations: {} });
  expect(metaOf(plane)).toMatchObject({ annotations: {}, managedFields: "[]" });
  plane.must({ ...tenant, managedFields: '[{"manager":"kubectl"}]' });
  expect(metaOf(plane)).toMatchObject({
    annotations: {},
    managedFields: '[{"manager":"kubectl"}]',
  });
});

test("annotations leave both generations alone [OB6]", () => {
  const plane = aPlane();
  plane.must({
    ...putting(WORKLOAD, { kind: "Workload", spec: aWorkloadSpec() }),
    ...notes,
  });
  expect(plane.workload().meta.generation).toBe(1);
  expect(plane.workload().status.templateGeneration).toBe(1);
});
