/** How things came to be as they are, and what would change them, as the API tells it. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { createControllers } from "../../src/host/controllers.ts";
import { until } from "../host/a-running-plane.ts";
import {
  type AnyJson,
  anApiWithTenant,
  aNodeObject,
  type Api,
  aWorkloadObject,
  BERTH,
  textAt,
  WORKLOADS,
} from "./an-api.ts";
import { loginName } from "../../src/shell/login-name.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant({ controllers: () => createControllers({ schedulers: 1 }) });
});
afterEach(() => api.close());

let leases = 0;
const speak = (node: string) => {
  leases += 1;
  return api.send(
    { kind: "lease", node, session: 1, seq: leases, kept: [] },
    "agent",
    `agent:${node}`,
  );
};

const quota = (cpu: number) =>
  api.post(`${BERTH}/namespaces/payments/quotas`, {
    apiVersion: "berth.dev/v1",
    kind: "Quota",
    metadata: { name: "default" },
    spec: { limit: { cpu, memory: "64Gi" } },
  });

const raise = (cpu: string) =>
  api.patch(`${BERTH}/namespaces/payments/quotas/default`, { spec: { limit: { cpu } } });

async function aNode(name: string, spec: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const node = aNodeObject(name);
  await api.post(`${BERTH}/nodes`, { ...node, spec: { ...node.spec, ...spec } });
  await speak(name);
}

const workload = (name: string, cpu: string, spec: Readonly<Record<string, unknown>> = {}) =>
  api.post(
    WORKLOADS,
    aWorkloadObject(name, { spec: { ...spec, resources: { cpu, memory: "64Mi" } } }),
  );

const stageOf = (name: string) =>
  api.plane.objects.replica(`Replica/payments/${name}` as never)?.status.stage;

const reached = (name: string, stage: string) =>
  until(`${name} to be ${stage}`, () => (stageOf(name) === stage ? true : undefined));

const waiting = (controller: string) =>
  until(`${controller} to wait`, () =>
    api.plane.owed().find((owed) => owed.controller === controller),
  );

async function explained(query: string): Promise<AnyJson> {
  const { status, json, text } = await api.get(`/explain?${query}`);
  if (status !== 200) throw new Error(text);
  return json;
}

const replica = (name: string, more = "") =>
  explained(`kind=replica&namespace=payments&name=${name}${more}`);

const list = (json: AnyJson | undefined): readonly AnyJson[] => json as unknown as AnyJson[];

it("[AP160] the timeline of a replica joins each commit with what was seen, decided and cited, across controllers", async () => {
  await quota(4);
  await aNode("a-1");
  await aNode("a-2");
  await workload("api", "500m");
  await reached("api.1.0", "bound");
  const told = await replica("api.1.0");
  const steps = list(told["timeline"]).filter((step) => textAt(step, "kind") === "commit");
  expect(steps.map((step) => textAt(step, "actor", "role"))).toEqual(["user", "admit", "place"]);
  const bind = steps[2]!;
  const { revision } = api.plane;
  expect(bind).toMatchObject({
    command: "bind",
    epoch: 1,
    seen: { behind: 0, ageMs: 0 },
    decided: { controller: "place-1", attempts: 1, because: { chosen: expect.any(String) } },
  });
  expect(list(bind["decided"]!["because"]!["alternatives"]).length).toBeGreaterThan(0);
  expect(Number(textAt(bind, "revision"))).toBeLessThanOrEqual(revision);
  expect(told["record"]).toMatchObject({ isWhole: true });
  const owner = `agent:${api.plane.objects.replica("Replica/payments/api.1.0" as never)?.status.node}`;
  expect(told["now"]).toMatchObject({ exists: true, owner, next: "starts its process" });
});

it("[AP160] a replica that waits is told the rules that turned nodes away, who owns the next step, and by when", async () => {
  await quota(40);
  await aNode("a-1");
  await workload("big", "9");
  await waiting("place-1");
  const told = await replica("big.1.0");
  const wait = list(told["timeline"]).at(-1)!;
  expect(wait).toMatchObject({
    kind: "wait",
    reason: "no-feasible-node",
    decided: {
      because: { rejected: { capacity: { count: 1, example: "Node//a-1 cpuMillis: 4000" } } },
    },
  });
  expect(told["now"]).toMatchObject({
    owner: "place",
    waits: [{ controller: "place-1", reason: "no-feasible-node", of: "workload/payments/big" }],
  });
  expect(Number(textAt(list(told["now"]!["waits"])[0]!, "inMs"))).toBeGreaterThan(0);
});

it("[AP160] evidence is cited with its strength, and what becomes of a node is told at its replicas", async () => {
  await quota(4);
  await aNode("a-1");
  await workload("api", "500m");
  await reached("api.1.0", "bound");
  await api.put(`${BERTH}/nodes/a-1`, {
    ...aNodeObject("a-1"),
    spec: { ...aNodeObject().spec, draining: true },
  });
  await until(
    "the drain",
    () => api.plane.objects.replica("Replica/payments/api.1.0" as never)?.status.stopping,
  );
  const told = await replica("api.1.0");
  const steps = list(told["timeline"]);
  expect(steps.map((step) => textAt(step, "command"))).toContain("evict");
  const evict = steps.find((step) => textAt(step, "command") === "evict");
  expect(evict).toMatchObject({
    evidence: { kind: "drain", permits: expect.stringContaining("evicting it") },
    decided: { controller: "drain-node" },
  });
  expect(
    steps.flatMap((step) => list(step["what"] ?? ([] as never))).map((each) => textAt(each, "of")),
  ).toContain("node/a-1");
});

it("[AP161] a workload, a node, and a decision by its revision or its operation are explained, too", async () => {
  await quota(4);
  await aNode("a-1");
  await workload("api", "500m", { replicas: 3 });
  await reached("api.1.2", "bound");
  const ofWorkload = await explained("kind=workload&namespace=payments&name=api");
  expect(ofWorkload["now"]).toMatchObject({ says: "Of its replicas, 3 desired, 3 bound." });
  const bind = list(ofWorkload["timeline"]).find((step) => textAt(step, "command") === "bind-all");
  expect(list(bind!["what"])).toHaveLength(3);
  const ofNode = await explained("kind=node&name=a-1");
  expect(ofNode["now"]).toMatchObject({ owner: "nobody", next: "it takes work" });
  for (const name of [textAt(bind!, "revision"), encodeURIComponent(textAt(bind!, "operation"))]) {
    const decision = await explained(`kind=decision&name=${name}`);
    expect(list(decision["timeline"])[0]).toMatchObject({ command: "bind-all", others: 0 });
  }
});

it("[AP161] what is explained as of a revision or a time knows nothing of later", async () => {
  await quota(4);
  await workload("api", "500m");
  await waiting("place-1");
  const { revision } = api.plane;
  await aNode("a-1");
  await reached("api.1.0", "bound");
  const then = await replica("api.1.0", `&revision=${revision}`);
  expect(list(then["timeline"]).map((step) => textAt(step, "command"))).not.toContain("bind");
  expect(textAt(then, "now", "says")).toContain("waiting for a node that fits");
  const now = await replica("api.1.0", "&at=0s");
  expect(list(now["timeline"]).map((step) => textAt(step, "command"))).toContain("bind");
});

it.each([
  ["", 400],
  ["kind=quota&name=default", 400],
  ["kind=replica&name=api.1.0", 400],
  ["kind=replica&namespace=payments&name=api.1.0", 404],
  ["kind=decision&name=999999", 404],
  ["kind=decision&name=bind/of/nothing", 404],
  ["kind=node&name=a-1&whatIf=true", 400],
  ["kind=node&name=a-1&revision=0", 400],
  ["kind=node&name=a-1&revision=99999", 400],
  ["kind=node&name=a-1&at=soon", 400],
  ["kind=node&name=a-1&at=2001-01-01T00:00:00Z", 410],
  ["kind=node&name=a-1&at=1s&revision=1", 400],
])("[AP161] /explain?%s is %i", async (query, status) => {
  await aNode("a-1");
  expect((await api.get(`/explain?${query}`)).status).toBe(status);
});

it("[AP162] why not: every rule that keeps a replica from a node, with the numbers", async () => {
  await quota(40);
  await aNode("a-1", {
    taints: [{ key: "gpu", value: "only" }],
    cordons: [{ holder: loginName(), reason: "disk" }],
  });
  await workload("big", "9", { placement: { nodeSelector: { disk: "ssd" } } });
  await waiting("place-1");
  const told = await replica("big.1.0", "&whyNot=a-1");
  expect(list(told["whyNot"]!["obstacles"]).map((each) => textAt(each, "says"))).toEqual([
    "node-selector: label disk: wanted ssd, found (none)",
    "taints: taint: wanted tolerated, found gpu=only",
    `schedulable: wanted schedulable, found cordoned by ${loginName()}`,
    "capacity: cpuMillis: asked 9000, free 4000",
  ]);
  expect(
    (await api.get("/explain?kind=replica&namespace=payments&name=big.1.0&whyNot=a-9")).status,
  ).toBe(404);
});

it("[AP163] what if: the smallest change is told first, and making it gives the replica its place", async () => {
  await quota(40);
  await aNode("a-1", { taints: [{ key: "gpu", value: "only" }] });
  await aNode("a-2", { cordons: [{ holder: loginName(), reason: "disk" }] });
  await workload("one", "500m");
  await waiting("place-1");
  const told = await replica("one.1.0", "&whatIf=true");
  const asked = "kind=workload&namespace=payments&name=one&whatIf=true";
  const ofWorkload = (await api.get(`/explain?${asked}`)).json;
  expect(ofWorkload["whatIf"]).toEqual(told["whatIf"]);
  const changes = list(told["whatIf"]!["suggestions"]).map((each) =>
    list(each["changes"]).map((change) => textAt(change, "says")),
  );
  expect(changes).toEqual([
    [`lift the cordon of ${loginName()} on a-2`],
    ["tolerate the taint gpu=only (no-schedule)"],
    ["add a node with at least 500m of CPU, 64Mi of memory in eu/eu-a"],
  ]);
  await api.patch(`${BERTH}/nodes/a-2`, { spec: { cordons: null } });
  await reached("one.1.0", "bound");
});

it("[AP163] what if: quota that is raised by what is suggested, and no less, lets the replica in", async () => {
  await quota(1);
  await aNode("a-1");
  await workload("two", "1500m");
  await waiting("admit");
  const told = await replica("two.1.0", "&whatIf=true");
  const [first] = list(told["whatIf"]!["suggestions"]);
  expect(list(first!["changes"])).toMatchObject([
    {
      kind: "raise-quota",
      name: "cpuMillis",
      amount: 500,
      says: "raise the quota of payments by 500m of CPU",
    },
  ]);
  await raise("1499m");
  expect(
    list((await replica("two.1.0", "&whatIf=true"))["whatIf"]!["suggestions"])[0],
  ).toMatchObject({
    changes: [{ amount: 1 }],
  });
  await raise("1500m");
  await reached("two.1.0", "bound");
});

it("[AP164] an object and a list are shown as they were at an exact revision, with what they showed of others", async () => {
  await quota(4);
  await workload("api", "500m", { replicas: 2 });
  await waiting("place-1");
  const { revision } = api.plane;
  await aNode("a-1");
  await reached("api.1.1", "bound");
  await api.patch(`${WORKLOADS}/api`, { spec: { replicas: 5 } });
  const exact = `resourceVersion=${revision}&resourceVersionMatch=Exact`;
  const one = await api.get(`${WORKLOADS}/api?${exact}`);
  expect(one.json["spec"]).toMatchObject({ replicas: 2 });
  expect(textAt(one.json, "status", "progress")).not.toContain('"stage":"bound","replicas":2');
  const items = (await api.get(`${WORKLOADS}?${exact}`)).json["items"];
  expect(list(items)[0]).toEqual(one.json);
  expect((await api.get(`${BERTH}/nodes/a-1?${exact}`)).status).toBe(404);
  expect(list((await api.get(`${BERTH}/nodes?${exact}`)).json["items"])).toEqual([]);
});

it("[AP165] /revisions says which revision a moment was", async () => {
  const { revision } = api.plane;
  const time = api.plane.past.commit(revision)!.atMs;
  expect((await api.get(`/revisions?at=${new Date(time).toISOString()}`)).json).toMatchObject({
    revision,
  });
  expect((await api.get(`/revisions?revision=1`)).json).toMatchObject({ revision: 1 });
  const old = await api.get("/revisions?at=48h");
  expect(old.status).toBe(410);
  expect(old.text).toContain("the oldest commit in the log is revision 1");
});

it("[AP166] /diff tells what was added, removed and changed between two moments", async () => {
  await quota(4);
  const { revision: from } = api.plane;
  await workload("api", "500m");
  await workload("old", "500m");
  await waiting("place-1");
  await api.patch(`${BERTH}/namespaces/payments/quotas/default`, { spec: { limit: { cpu: 8 } } });
  const { revision: to } = api.plane;
  const diff = async (query: string) => (await api.get(`/diff?${query}`)).json;
  const all = await diff(`from=${from}&to=${to}`);
  expect(list(all["items"]).map((each) => [textAt(each, "change"), textAt(each, "key")])).toEqual([
    ["changed", "Quota/payments/default"],
    ["added", "Replica/payments/api.1.0"],
    ["added", "Replica/payments/old.1.0"],
    ["added", "Workload/payments/api"],
    ["added", "Workload/payments/old"],
  ]);
  const one = list((await diff(`from=${from}&to=${to}&kind=Quota`))["items"])[0]!;
  expect([one["before"]!["spec"], one["after"]!["spec"]]).toMatchObject([
    { limit: { cpu: "4" } },
    { limit: { cpu: "8" } },
  ]);
  expect(textAt(one, "before", "status", "reserved", "cpu")).toBe("0");
  expect(textAt(one, "after", "status", "reserved", "cpu")).toBe("1");
  expect(list((await diff(`from=${to}&to=${to}`))["items"])).toEqual([]);
  for (const query of ["", "from=x", `from=${to}&to=${from}`, `from=1&kind=Thing`]) {
    expect((await api.get(`/diff?${query}`)).status).toBe(400);
  }
});
