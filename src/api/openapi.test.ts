import { describe, expect, test } from "vitest";
import { ALL_KINDS } from "./kinds/all-kinds.ts";
import { openApiV2 } from "./openapi-v2.ts";
import { openApiDocuments, openApiIndex } from "./openapi.ts";

interface Operation {
  readonly operationId?: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly "x-kubernetes-group-version-kind": object;
}
interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly unknown[];
  readonly required?: readonly string[];
  readonly "x-kubernetes-group-version-kind"?: readonly object[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const PATH = "apis/berth.dev/v1";
const served = ALL_KINDS.map((api) => ({ group: "berth.dev", name: api.kind, api }));
const documents = openApiDocuments(served);
const { body } = documents.get(PATH)!;
const document = JSON.parse(body) as Document;
const objects = `/${PATH}/namespaces/{namespace}/workloads/{name}`;

describe("the index", () => {
  test("each group has an address that changes with its document", () => {
    const { paths } = openApiIndex(documents);
    expect(Object.keys(paths)).toEqual([
      PATH,
      "apis/coordination.k8s.io/v1",
      "apis/rbac.authorization.k8s.io/v1",
      "api/v1",
    ]);
    expect(paths[PATH]!.serverRelativeURL).toMatch(
      /^\/openapi\/v3\/apis\/berth\.dev\/v1\?hash=[0-9A-F]{128}$/,
    );
    const fewer = openApiDocuments(served.slice(1));
    expect(fewer.get(PATH)!.hash).not.toBe(documents.get(PATH)!.hash);
    expect(openApiDocuments(served).get(PATH)!.hash).toBe(documents.get(PATH)!.hash);
  });
});

describe("paths", () => {
  test("kubectl finds the parameters it asks for at the patch of every kind that can be written", () => {
    for (const { kind, isWritable } of ALL_KINDS) {
      const patches = Object.values(document.paths)
        .map(({ patch }) => patch)
        .filter((patch) => patch !== undefined)
        .filter((patch) => {
          const identity = patch["x-kubernetes-group-version-kind"];
          return "kind" in identity && identity.kind === kind;
        });
      expect([kind, patches.length > 0]).toEqual([kind, isWritable]);
      for (const { parameters } of patches) {
        const names = parameters.map(({ name }) => name);
        expect(names).toEqual(
          expect.arrayContaining(["dryRun", "fieldManager", "fieldValidation"]),
        );
      }
    }
  });

  test("a namespaced kind has a path for all namespaces, for one, for an object and below it", () => {
    const of = Object.keys(document.paths).filter((path) => path.includes("/workloads"));
    expect(of).toEqual([
      `/${PATH}/workloads`,
      `/${PATH}/namespaces/{namespace}/workloads`,
      objects,
      `${objects}/status`,
      `${objects}/scale`,
    ]);
    expect(Object.keys(document.paths[objects]!)).toEqual([
      "parameters",
      "get",
      "put",
      "patch",
      "delete",
    ]);
  });
});

describe("schemas", () => {
  const workload = document.components.schemas["dev.berth.v1.Workload"]!;

  test("every reference leads somewhere", () => {
    const references = [...body.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, name = ""] of references) {
      expect(document.components.schemas).toHaveProperty([name]);
    }
  });

  test("a kind is found by its group, version and kind, and described", () => {
    expect(workload["x-kubernetes-group-version-kind"]).toEqual([
      { group: "berth.dev", version: "v1", kind: "Workload" },
    ]);
    const { placement } = workload.properties!["spec"]!.properties!;
    expect(placement!.description).toBe("Where replicas may run and how they spread.");
    expect(placement!.properties!["regions"]!.description).toContain("Default or empty");
  });

  test("a default is told in the description, because explain shows nothing else", () => {
    const { stopGrace } = workload.properties!["spec"]!.properties!;
    expect(stopGrace!.description).toContain("Defaults to 10s.");
  });

  test("a quantity is one, whether it is written as text or as a number", () => {
    const { resources } = workload.properties!["spec"]!.properties!;
    expect(resources!.properties!["cpu"]!.allOf).toEqual([
      { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity" },
    ]);
  });

  test("keywords that only the check reads, and lists of types, stay inside", () => {
    expect(body).not.toContain("x-berth-");
    expect(body).not.toContain("propertyNames");
    expect(body).not.toMatch(/"type":\[/);
  });
});

test("every operation has its own name, as Kubernetes names them", () => {
  const ids = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  );
  expect(new Set(ids).size).toBe(ids.length);
  const operations = Object.values(document.paths).flatMap((item) =>
    Object.keys(item).filter((method) => method !== "parameters"),
  );
  expect(ids).toHaveLength(operations.length);
  for (const id of [
    "readBerthDevV1NamespacedWorkload",
    "listBerthDevV1WorkloadForAllNamespaces",
    "deleteBerthDevV1CollectionNamespacedWorkload",
    "patchBerthDevV1NamespacedWorkloadScale",
    "createBerthDevV1Node",
  ])
    expect(ids).toContain(id);
});

test("the v2 document has the same schemas, and its binary form the types and dry runs", () => {
  const { json, protobuf } = openApiV2(documents);
  const { definitions } = JSON.parse(json) as { definitions: object };
  expect(Object.keys(definitions)).toEqual(
    expect.arrayContaining(Object.keys(document.components.schemas)),
  );
  expect(json).not.toContain("#/components/");
  const written = protobuf.toString("latin1");
  expect(written.startsWith("\n\u00032.0\u0012\u000b\n\u0005Berth\u0012\u0002v1")).toBe(true);
  expect(written).toContain("dev.berth.v1.Workload");
  expect(written).toContain('\u0012\u0005query"\u0006dryRun');
  expect(written).toContain('[{"group":"berth.dev","version":"v1","kind":"Workload"}]');
});
