import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anApi, type Api, BERTH } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApi();
});
afterEach(() => api.close());

const AGGREGATED =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

describe("discovery", () => {
  it("[AP1] both roots answer aggregated and say so in the Content-Type", async () => {
    for (const path of ["/api", "/apis"]) {
      const { headers, json } = await api.get(path, { accept: AGGREGATED });
      expect(headers["content-type"]).toBe(
        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
      );
      expect(json["kind"]).toBe("APIGroupDiscoveryList");
    }
  });

  it("[AP2] clients that do not ask for it get one document per group version", async () => {
    expect((await api.get("/api")).json["versions"]).toEqual(["v1"]);
    const groups = (await api.get("/apis")).json["groups"]!;
    expect(groups[0]!["name"]).toBe("berth.dev");
    expect((await api.get("/apis/berth.dev")).json["kind"]).toBe("APIGroup");
    const { json } = await api.get(BERTH);
    const resources = json["resources"] as unknown as { name: string; kind: string }[];
    const names = resources.map(({ name }) => name);
    expect(names).toContain("workloads/scale");
    expect(names).toContain("endpoints");
    expect(names.indexOf("workloads")).toBeLessThan(names.indexOf("workloads/status"));
    const core = (await api.get("/api/v1")).json["resources"] as unknown as { name: string }[];
    expect(core.map(({ name }) => name)).toEqual(["secrets", "namespaces", "pods", "events"]);
  });

  it("[AP378] there are no custom resource definitions, so a client learns that a kind does not exist", async () => {
    const url = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    expect(await api.get(url)).toMatchObject({
      status: 200,
      json: { kind: "CustomResourceDefinitionList", items: [] },
    });
  });

  it("[AP3] tools find a version and the health of the server", async () => {
    expect((await api.get("/version")).json["gitVersion"]).toMatch(/^v1\.\d+\.0\+berth-/);
    for (const path of ["/healthz", "/livez", "/readyz"]) {
      expect(await api.get(path)).toMatchObject({ status: 200, text: "ok" });
    }
    api.stopLeading();
    expect((await api.get("/livez")).status).toBe(200);
    expect((await api.get("/readyz")).status).toBe(503);
  });

  it("[AP4] the schema index leads to documents that say what a PATCH may be asked", async () => {
    const { json } = await api.get("/openapi/v3");
    const paths = json["paths"] as unknown as Record<string, { serverRelativeURL: string }>;
    expect(Object.keys(paths).toSorted()).toEqual([
      "api/v1",
      "apis/berth.dev/v1",
      "apis/coordination.k8s.io/v1",
      "apis/rbac.authorization.k8s.io/v1",
    ]);
    const document = await api.get(paths["apis/berth.dev/v1"]!.serverRelativeURL);
    expect(document.headers["cache-control"]).toContain("immutable");
    const patch =
      document.json["paths"]![`${BERTH}/namespaces/{namespace}/workloads/{name}`]!["patch"]!;
    expect(patch["x-kubernetes-group-version-kind"]).toEqual({
      group: "berth.dev",
      version: "v1",
      kind: "Workload",
    });
    const parameters = patch["parameters"] as unknown as { name: string }[];
    expect(parameters.map(({ name }) => name)).toContain("fieldValidation");
    const v2 = await api.get("/openapi/v2");
    expect(v2.json["definitions"]).toHaveProperty(["dev.berth.v1.Workload"]);
    const binary = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    const { headers } = await api.get("/openapi/v2", { accept: binary });
    expect(headers["content-type"]).toBe(binary);
    expect((await api.get("/openapi/v3/apis/other/v1")).status).toBe(404);
  });

  it("[AP5] the path of every resource is in lower case", async () => {
    const resources = (await api.get(BERTH)).json["resources"] as unknown as { name: string }[];
    for (const { name } of resources) expect(name).toBe(name.toLowerCase());
  });
});
