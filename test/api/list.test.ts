import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  anApiWithTenant,
  type Answer,
  type Api,
  aTenantObject,
  aWorkloadObject,
  BERTH,
  textAt,
  WORKLOADS,
} from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant({ limits: { futureRevisionWaitMs: 20, listsKept: 0 } });
});
afterEach(() => api.close());

const make = async (name: string, labels: Record<string, string> = {}): Promise<Answer> =>
  api.post(WORKLOADS, aWorkloadObject(name, { metadata: { labels } }));

const namesIn = ({ json }: Answer): readonly string[] =>
  (json["items"] as unknown as { metadata: { name: string } }[]).map(
    ({ metadata }) => metadata.name,
  );

const versionOf = ({ json }: Answer): string => textAt(json, "metadata", "resourceVersion");
const tokenOf = ({ json }: Answer): string => textAt(json, "metadata", "continue");

describe("lists", () => {
  it("[AP20] a list has its kind and the revision it was read at", async () => {
    await make("a");
    const list = await api.get(WORKLOADS);
    expect(list.json).toMatchObject({ kind: "WorkloadList", apiVersion: "berth.dev/v1" });
    expect(versionOf(list)).toBe(String(api.plane.revision));
  });

  it("[AP20] a list is of one namespace or of all", async () => {
    await api.post(`${BERTH}/tenants`, aTenantObject("risk"));
    await make("a");
    await api.post(`${BERTH}/namespaces/risk/workloads`, aWorkloadObject("b"));
    expect(namesIn(await api.get(`${BERTH}/workloads`))).toEqual(["a", "b"]);
    expect(namesIn(await api.get(`${BERTH}/namespaces/risk/workloads`))).toEqual(["b"]);
  });

  it("[AP20] a list of one namespace follows what is made, changed and deleted there", async () => {
    await api.post(`${BERTH}/tenants`, aTenantObject("risk"));
    await make("a");
    expect(namesIn(await api.get(WORKLOADS))).toEqual(["a"]);
    const before = api.plane.revision;
    await make("c");
    await make("b");
    await api.post(`${BERTH}/namespaces/risk/workloads`, aWorkloadObject("d"));
    await api.delete(`${WORKLOADS}/a`);
    const kept = namesIn(await api.get(WORKLOADS)).filter((name) => name !== "a");
    expect(kept).toEqual(["b", "c"]);
    expect(namesIn(await api.get(`${BERTH}/namespaces/risk/workloads`))).toEqual(["d"]);
    expect(namesIn(await api.get(`${BERTH}/namespaces/nobody/workloads`))).toEqual([]);
    const exact = `resourceVersion=${before}&resourceVersionMatch=Exact`;
    expect(namesIn(await api.get(`${WORKLOADS}?${exact}`))).toEqual(["a"]);
  });

  it("[AP21] pages show the same resourceVersion, what remains, and an end", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) await make(name);
    const first = await api.get(`${WORKLOADS}?limit=2`);
    expect(namesIn(first)).toEqual(["a", "b"]);
    expect(first.json["metadata"]!["remainingItemCount"]).toBe(3);
    const second = await api.get(`${WORKLOADS}?limit=2&continue=${tokenOf(first)}`);
    const third = await api.get(`${WORKLOADS}?limit=2&continue=${tokenOf(second)}`);
    expect([...namesIn(second), ...namesIn(third)]).toEqual(["c", "d", "e"]);
    expect(versionOf(second)).toBe(versionOf(first));
    expect(versionOf(third)).toBe(versionOf(first));
    expect(third.json["metadata"]).not.toHaveProperty("continue");
  });

  it("[AP21] with selectors the remaining count is left out", async () => {
    for (const name of ["a", "b", "c"]) await make(name, { app: "x" });
    const page = await api.get(`${WORKLOADS}?limit=1&labelSelector=app%3Dx`);
    expect(tokenOf(page)).not.toBe("undefined");
    expect(page.json["metadata"]).not.toHaveProperty("remainingItemCount");
    expect((await api.get(`${WORKLOADS}?limit=many`)).status).toBe(400);
  });

  it("[AP20] a list of any length comes whole, in every form", async () => {
    const names = Array.from({ length: 1_203 }, (_, at) => `t${String(at).padStart(4, "0")}`);
    // More at once than a server lets one caller wait with are told to come back.
    for (let at = 0; at < names.length; at += 100) {
      const some = names.slice(at, at + 100);
      await Promise.all(some.map((name) => api.post(`${BERTH}/tenants`, aTenantObject(name))));
    }
    expect(namesIn(await api.get(`${BERTH}/tenants`))).toEqual(["payments", ...names]);
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const table = (await api.get(`${BERTH}/tenants`, { accept })).json;
    expect(table["kind"]).toBe("Table");
    expect(table["rows"]).toHaveLength(1_204);
  });

  it("[AP22] a list that is paged through is kept, even when its history is not", async () => {
    const keeping = await anApiWithTenant();
    for (const name of ["b", "c", "d"]) {
      await keeping.post(`${BERTH}/tenants`, aTenantObject(name));
    }
    const token = tokenOf(await keeping.get(`${BERTH}/tenants?limit=1`));
    await keeping.delete(`${BERTH}/tenants/c`);
    keeping.forget(keeping.plane.revision);
    const rest = await keeping.get(`${BERTH}/tenants?limit=9&continue=${token}`);
    expect(namesIn(rest)).toEqual(["c", "d", "payments"]);
    await keeping.close();
  });

  it("[AP22] what was changed, made or deleted meanwhile is shown as it was", async () => {
    for (const name of ["b", "c", "d"]) {
      await api.post(`${BERTH}/tenants`, aTenantObject(name));
    }
    const first = await api.get(`${BERTH}/tenants?limit=1`);
    expect(namesIn(first)).toEqual(["b"]);
    await api.delete(`${BERTH}/tenants/c`);
    await api.post(`${BERTH}/tenants`, aTenantObject("cc"));
    await api.patch(`${BERTH}/tenants/d`, { metadata: { labels: { late: "yes" } } });
    const rest = await api.get(`${BERTH}/tenants?continue=${tokenOf(first)}`);
    expect(namesIn(rest)).toEqual(["c", "d", "payments"]);
    expect(rest.json["items"]![1]!["metadata"]).not.toHaveProperty("labels");
  });

  it("[AP23] a continue token expires with the history it needs", async () => {
    for (const name of ["a", "b"]) await make(name);
    const token = tokenOf(await api.get(`${WORKLOADS}?limit=1`));
    await make("c");
    api.forget(api.plane.revision);
    const { status, json } = await api.get(`${WORKLOADS}?limit=1&continue=${token}`);
    expect(status).toBe(410);
    expect(json["reason"]).toBe("Expired");
  });

  it("[AP23] a token that is not ours, or comes with a resourceVersion, is 400", async () => {
    for (const name of ["a", "b"]) await make(name);
    const token = tokenOf(await api.get(`${WORKLOADS}?limit=1`));
    expect((await api.get(`${WORKLOADS}?continue=nonsense`)).status).toBe(400);
    expect((await api.get(`${WORKLOADS}?continue=${token}&resourceVersion=3`)).status).toBe(400);
  });

  it("[AP24] any revision that has been reached is not too new", async () => {
    await make("a");
    const { revision } = api.plane;
    for (const version of ["", "0", "1", String(revision)]) {
      const list = await api.get(`${WORKLOADS}?resourceVersion=${version}`);
      expect(versionOf(list)).toBe(String(revision));
      expect((await api.get(`${WORKLOADS}/a?resourceVersion=${version}`)).status).toBe(200);
    }
  });

  it("[AP24] a revision that does not come is 504", async () => {
    const { status, json, headers } = await api.get(`${WORKLOADS}?resourceVersion=999`);
    expect(status).toBe(504);
    expect(json["message"]).toContain("Too large resource version: 999");
    expect(json["details"]!["causes"]![0]!["reason"]).toBe("ResourceVersionTooLarge");
    expect(headers["retry-after"]).toBe("1");
  });

  it("[AP24] a revision that comes in time is waited for", async () => {
    const patient = await anApiWithTenant();
    const next = patient.plane.revision + 1;
    const read = patient.get(`${BERTH}/tenants?resourceVersion=${next}`);
    await patient.post(`${BERTH}/tenants`, aTenantObject("risk"));
    expect(namesIn(await read)).toEqual(["payments", "risk"]);
    await patient.close();
  });

  it("[AP25] an exact revision shows the objects of that revision", async () => {
    await make("a");
    const { revision } = api.plane;
    await make("b");
    const exact = `resourceVersion=${revision}&resourceVersionMatch=Exact`;
    const list = await api.get(`${WORKLOADS}?${exact}`);
    expect(namesIn(list)).toEqual(["a"]);
    expect(versionOf(list)).toBe(String(revision));
    expect(namesIn(await api.get(`${WORKLOADS}?limit=5&resourceVersion=${revision}`))).toEqual([
      "a",
    ]);
    api.forget(revision + 1);
    expect((await api.get(`${WORKLOADS}?limit=5&resourceVersion=${revision}`)).status).toBe(410);
  });

  it.each([
    "resourceVersionMatch=Exact",
    "resourceVersionMatch=NotOlderThan",
    "resourceVersionMatch=Exact&resourceVersion=0",
    "resourceVersionMatch=Newest&resourceVersion=1",
    "resourceVersion=abc",
    "resourceVersion=-1",
  ])("[AP25] %s means nothing and is 400", async (query) => {
    expect((await api.get(`${WORKLOADS}?${query}`)).status).toBe(400);
  });

  it.each([
    { selector: "app=web", names: ["a", "b"] },
    { selector: "app==web,tier=front", names: ["a"] },
    { selector: "app!=web", names: ["c", "d"] },
    { selector: "tier in (front, back)", names: ["a", "b"] },
    { selector: "tier notin (front)", names: ["b", "c", "d"] },
    { selector: "tier", names: ["a", "b"] },
    { selector: "!tier", names: ["c", "d"] },
    { selector: "app in (web,db),!tier", names: ["c"] },
    { selector: "", names: ["a", "b", "c", "d"] },
  ])("[AP26] the label selector $selector finds $names", async ({ selector, names }) => {
    await make("a", { app: "web", tier: "front" });
    await make("b", { app: "web", tier: "back" });
    await make("c", { app: "db" });
    await make("d");
    const found = await api.get(`${WORKLOADS}?labelSelector=${encodeURIComponent(selector)}`);
    expect(namesIn(found)).toEqual(names);
  });

  it.each(["app=web=db", "in (a)", "a in", "=x", "a b", "app in (a", "app=sp ace"])(
    "[AP26] the label selector %s is 400",
    async (selector) => {
      const url = `${WORKLOADS}?labelSelector=${encodeURIComponent(selector)}`;
      expect((await api.get(url)).status).toBe(400);
    },
  );

  it("[AP27] field selectors work on names and on the fields of the kind", async () => {
    await make("a");
    await api.post(WORKLOADS, aWorkloadObject("b", { spec: { type: "batch" } }));
    const find = async (selector: string): Promise<readonly string[]> =>
      namesIn(await api.get(`${WORKLOADS}?fieldSelector=${encodeURIComponent(selector)}`));
    expect(await find("metadata.name=b")).toEqual(["b"]);
    expect(await find("metadata.namespace=payments,metadata.name!=b")).toEqual(["a"]);
    expect(await find("spec.type=batch")).toEqual(["b"]);
  });

  it("[AP27] an unknown field is 400 and the known ones are named", async () => {
    const { status, json } = await api.get(`${WORKLOADS}?fieldSelector=spec.typ%3Dbatch`);
    expect(status).toBe(400);
    expect(json["message"]).toContain("field label not supported: spec.typ");
    expect(json["message"]).toContain('Did you mean "spec.type"?');
  });
});
