import { describe, expect, test } from "vitest";
import { aMeta } from "../../test/builders/a-meta.ts";
import { aWorkload } from "../../test/builders/a-workload.ts";
import { REPLICAS_FINALIZER } from "../core/model/finalizers.ts";
import { nodeKey, workloadKey } from "../core/model/ids.ts";
import { ObjectIndex } from "../core/observe/object-index.ts";
import { workloadKind } from "./kinds/workload.ts";
import { toApiMetadata, toApiObject, toDesiredMetadata } from "./metadata.ts";

const KEY = workloadKey("payments", "api");

describe("what a client reads", () => {
  test("identity, revision and times are in the form Kubernetes clients know", () => {
    const meta = aMeta(KEY, {
      generation: 3,
      revision: 42,
      createdMs: Date.UTC(2024, 0, 2, 3, 4, 5, 678),
      deletingMs: Date.UTC(2024, 0, 2, 3, 4, 6),
      labels: { team: "core" },
      annotations: { note: "x" },
      managedFields: '[{"manager":"kubectl"}]',
      finalizers: ["a"],
    });
    expect(toApiMetadata(meta)).toEqual({
      name: "api",
      namespace: "payments",
      uid: meta.uid,
      resourceVersion: "42",
      generation: 3,
      creationTimestamp: "2024-01-02T03:04:05Z",
      deletionTimestamp: "2024-01-02T03:04:06Z",
      labels: { team: "core" },
      annotations: { note: "x" },
      managedFields: [{ manager: "kubectl" }],
      finalizers: ["a"],
    });
  });

  test("what is empty is left out, and so is the namespace of a cluster-wide kind", () => {
    expect(Object.keys(toApiMetadata(aMeta(nodeKey("a-1"))))).toEqual([
      "name",
      "uid",
      "resourceVersion",
      "generation",
      "creationTimestamp",
    ]);
  });

  test("a whole object has its kind, its spec and its status", () => {
    const object = toApiObject(workloadKind, aWorkload(), new ObjectIndex());
    expect(object).toMatchObject({
      apiVersion: "berth.dev/v1",
      kind: "Workload",
      metadata: { name: "api" },
      spec: { replicas: 1 },
      status: { replicas: 0 },
    });
  });
});

describe("what a client writes", () => {
  test("labels, annotations and finalizers are the user's", () => {
    const metadata = {
      name: "api",
      labels: { a: "b" },
      annotations: { c: "d" },
      finalizers: ["x", "x"],
      managedFields: [{ manager: "kubectl" }],
    };
    expect(toDesiredMetadata(metadata, "payments", undefined)).toEqual({
      labels: { a: "b" },
      annotations: { c: "d" },
      finalizers: ["x"],
      managedFields: '[{"manager":"kubectl"}]',
    });
  });

  test("annotations that were taken out are gone, field owners that were not sent stay", () => {
    const desired = toDesiredMetadata(
      { name: "api" },
      "payments",
      aMeta(KEY, { annotations: { a: "b" } }),
    );
    expect(desired.annotations).toEqual({});
    expect(desired).not.toHaveProperty("managedFields");
  });

  test("a manifest without Berth's own finalizer does not take it off [OB3]", () => {
    const held = aMeta(KEY, { finalizers: [REPLICAS_FINALIZER, "x"] });
    expect(toDesiredMetadata({ name: "api" }, "payments", held).finalizers).toEqual([
      REPLICAS_FINALIZER,
    ]);
  });

  test("only the control plane adds one of Berth's own finalizers", () => {
    const metadata = { name: "api", finalizers: ["berth.dev/mine", "x"] };
    expect(toDesiredMetadata(metadata, "payments", aMeta(KEY)).finalizers).toEqual(["x"]);
  });
});
