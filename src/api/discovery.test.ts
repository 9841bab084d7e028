import { describe, expect, test } from "vitest";
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
} from "./discovery.ts";
import { ALL_KINDS, kindByName } from "./kinds/all-kinds.ts";
import type { ServedResource } from "./served-resource.ts";

const served: readonly ServedResource[] = [
  ...ALL_KINDS.map((api) => ({ group: "berth.dev", name: api.kind, api })),
  {
    group: "",
    name: "Namespace",
    api: {
      ...kindByName("Tenant")!,
      plural: "namespaces",
      singular: "namespace",
      isWritable: false,
    },
  },
];

describe("plain documents", () => {
  test("the groups are Berth's one, those of leases, roles and questions about access, and Kubernetes' core", () => {
    expect(apiVersions("10.0.0.1:443").versions).toEqual(["v1"]);
    expect(apiGroupList().groups.map(({ name }) => name)).toEqual([
      "berth.dev",
      "coordination.k8s.io",
      "rbac.authorization.k8s.io",
      "authentication.k8s.io",
      "authorization.k8s.io",
    ]);
    expect(apiGroup("berth.dev")).toMatchObject({
      kind: "APIGroup",
      name: "berth.dev",
      preferredVersion: { groupVersion: "berth.dev/v1", version: "v1" },
    });
  });

  test("the main resource of a kind comes before its subresources", () => {
    const { groupVersion, resources } = apiResourceList("berth.dev", served);
    expect(groupVersion).toBe("berth.dev/v1");
    const ofWorkloads = resources.filter(({ name }) => name.startsWith("workloads"));
    expect(ofWorkloads.map(({ name, kind }) => [name, kind])).toEqual([
      ["workloads", "Workload"],
      ["workloads/status", "Workload"],
      ["workloads/scale", "Scale"],
    ]);
    expect(ofWorkloads[0]).toMatchObject({
      singularName: "workload",
      namespaced: true,
      shortNames: ["wl"],
      categories: ["all", "berth"],
    });
  });

  test("what only the control plane writes can be read and watched, and a replica deleted", () => {
    const { resources } = apiResourceList("berth.dev", served);
    const verbsOf = (plural: string) => resources.find(({ name }) => name === plural)!.verbs;
    expect(verbsOf("replicas")).toEqual(["delete", "get", "list", "watch"]);
    expect(verbsOf("reservations")).toEqual(["get", "list", "watch"]);
    expect(verbsOf("workloads")).toContain("patch");
    expect(verbsOf("workloads/status")).toEqual(["get", "patch", "update"]);
    expect(verbsOf("replicas/status")).toEqual(["get"]);
  });

  test("tenants are namespaces in the core group", () => {
    const { groupVersion, resources } = apiResourceList("", served);
    expect(groupVersion).toBe("v1");
    expect(resources.map(({ name, kind }) => [name, kind])).toEqual([["namespaces", "Namespace"]]);
  });
});

describe("aggregated documents", () => {
  test("one document holds every resource of a group with its subresources", () => {
    const { apiVersion, kind, items } = aggregatedDiscovery(["berth.dev"], served);
    expect([apiVersion, kind]).toEqual(["apidiscovery.k8s.io/v2", "APIGroupDiscoveryList"]);
    const [group] = items;
    expect(group!.metadata.name).toBe("berth.dev");
    const [version] = group!.versions;
    expect(version!.resources.map(({ resource }) => resource)).toEqual(
      ALL_KINDS.map(({ plural }) => plural),
    );
    expect(version!.resources[0]).toMatchObject({
      resource: "workloads",
      responseKind: { group: "berth.dev", version: "v1", kind: "Workload" },
      scope: "Namespaced",
      subresources: [
        { subresource: "status" },
        { subresource: "scale", responseKind: { group: "autoscaling", kind: "Scale" } },
      ],
    });
  });

  test("both forms tell the same", () => {
    for (const group of ["", "berth.dev"]) {
      const plain = apiResourceList(group, served).resources;
      const whole = aggregatedDiscovery([group], served).items[0]!.versions[0]!.resources;
      const flat = whole.flatMap(({ resource, verbs, subresources }) => [
        [resource, verbs],
        ...subresources.map((each) => [`${resource}/${each.subresource}`, each.verbs]),
      ]);
      expect(flat).toEqual(plain.map(({ name, verbs }) => [name, verbs]));
    }
  });
});
