import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anApiWithTenant, type Api, aWorkloadObject, BERTH, WORKLOADS } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
  await api.post(WORKLOADS, aWorkloadObject("api"));
});
afterEach(() => api.close());

const TABLE =
  "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";
const PARTIAL = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

describe("forms of an answer", () => {
  it("[AP10] kubectl's own Accept brings a table of a list", async () => {
    const { json } = await api.get(WORKLOADS, { accept: TABLE });
    expect(json["kind"]).toBe("Table");
    expect(json["metadata"]!["resourceVersion"]).toMatch(/^\d+$/);
    expect(json["columnDefinitions"]![0]).toMatchObject({ name: "Name", type: "string" });
    const row = json["rows"]![0]!;
    expect(row["cells"]![0]).toBe("api");
    expect(row["object"]).toMatchObject({
      kind: "PartialObjectMetadata",
      metadata: { name: "api" },
    });
  });

  it("[AP10] one object comes as a table of one row", async () => {
    const { json } = await api.get(`${WORKLOADS}/api`, { accept: TABLE });
    expect(json["rows"]).toHaveLength(1);
  });

  it("[AP10] rows carry the whole object or nothing when asked to", async () => {
    const whole = await api.get(`${WORKLOADS}?includeObject=Object`, { accept: TABLE });
    expect(whole.json["rows"]![0]!["object"]).toMatchObject({ kind: "Workload" });
    const none = await api.get(`${WORKLOADS}?includeObject=None`, { accept: TABLE });
    expect(none.json["rows"]![0]).not.toHaveProperty("object");
    expect((await api.get(`${WORKLOADS}?includeObject=Some`)).status).toBe(400);
  });

  it.each(["text/html", "application/json;as=Chart;g=meta.k8s.io;v=v1", "application/xml"])(
    "[AP11] a client that accepts only %s gets 406",
    async (accept) => {
      const { status, json } = await api.get(WORKLOADS, { accept });
      expect(status).toBe(406);
      expect(json["reason"]).toBe("NotAcceptable");
    },
  );

  it("[AP11] the first form that exists is taken, and */* is JSON", async () => {
    const accept = "application/vnd.kubernetes.protobuf,application/json";
    expect((await api.get(WORKLOADS, { accept })).json["kind"]).toBe("WorkloadList");
    expect((await api.get(WORKLOADS, { accept: "*/*" })).json["kind"]).toBe("WorkloadList");
  });

  it("[AP12] metadata alone, of one object and of a list", async () => {
    const one = await api.get(`${WORKLOADS}/api`, { accept: PARTIAL });
    expect(one.json).toMatchObject({ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" });
    expect(one.json).not.toHaveProperty("spec");
    const accept = PARTIAL.replace("Metadata;", "MetadataList;");
    const list = await api.get(WORKLOADS, { accept });
    expect(list.json["kind"]).toBe("PartialObjectMetadataList");
    expect(list.json["items"]![0]!["kind"]).toBe("PartialObjectMetadata");
  });

  it.each(["application/xml", "application/vnd.kubernetes.protobuf", "text/plain"])(
    "[AP13] a body of type %s is 415",
    async (type) => {
      const { status, json } = await api.post(WORKLOADS, aWorkloadObject("b"), {
        "content-type": type,
      });
      expect(status).toBe(415);
      expect(json["reason"]).toBe("UnsupportedMediaType");
    },
  );

  it("[AP13] YAML is read", async () => {
    const yaml = "apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: risk }\n";
    const type = { "content-type": "application/yaml; charset=utf-8" };
    expect((await api.post(`${BERTH}/tenants`, yaml, type)).status).toBe(201);
  });
});
