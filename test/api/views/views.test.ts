import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FleetRow, VIEW_COLUMNS, VIEW_NAMES } from "../../../src/api/views/view-rows.ts";
import { createControllers } from "../../../src/host/controllers.ts";
import { bind, replica, serve, workload } from "../a-bound-replica.ts";
import {
  anApi,
  anApiWithTenant,
  aNodeObject,
  type Api,
  aWorkloadObject,
  BERTH,
  WORKLOADS,
} from "../an-api.ts";
import { PlaneUser, until } from "../../host/a-running-plane.ts";
import { SeveralPlanes } from "../../host/several-planes.ts";
import { aView, type AView, aViewAt, named, type Row } from "./a-view.ts";
import { loginName } from "../../../src/shell/login-name.ts";

let api: Api;
let view: AView | undefined;
afterEach(async () => {
  view?.close();
  view = undefined;
  await api.close();
});

const QUOTA = `${BERTH}/namespaces/payments/quotas/default`;
const aQuota = (spec: object) => ({
  apiVersion: "berth.dev/v1",
  kind: "Quota",
  metadata: { name: "default" },
  spec,
});
const aClass = (name: string, value: number) => ({
  apiVersion: "berth.dev/v1",
  kind: "PriorityClass",
  metadata: { name },
  spec: { value },
});
const text = (row: Row, column: string): string => JSON.stringify(row[column]);

describe("GET /views", () => {
  it("[AP180] every view is a table whose rows are as wide as its columns; another name is 404 and told the names", async () => {
    api = await anApiWithTenant();
    await bind(api);
    for (const name of VIEW_NAMES) {
      const { status, json } = await api.get(`/views/${name}`);
      expect([name, status]).toEqual([name, 200]);
      const revision = api.plane.revision;
      expect(json).toMatchObject({ view: name, revision, columns: VIEW_COLUMNS[name] });
      const rows = json["rows"] as unknown as readonly (readonly unknown[])[];
      for (const row of rows) expect(row).toHaveLength(VIEW_COLUMNS[name].length);
      expect(rows.length).toBe(name === "queue" ? 0 : 1);
    }
    const { status, json } = await api.get("/views/nodes");
    expect(status).toBe(404);
    expect(json["message"]).toContain("there are: fleet, workloads, queue, quota");
  });

  it("[AP180] with a key a view is that row alone, also while it is watched and before it is there", async () => {
    api = await anApiWithTenant();
    await bind(api);
    const keysOf = async (key: string) => {
      const { json } = await api.get(`/views/fleet?key=${key}`);
      return (json["rows"] as unknown as readonly FleetRow[]).map(([node]) => node);
    };
    expect([await keysOf("a-1"), await keysOf("n2")]).toEqual([["a-1"], []]);
    view = await aView(api.app, "fleet", "key=n2");
    for (const name of ["n3", "n2"]) await api.post(`${BERTH}/nodes`, aNodeObject(name));
    await view.row("n2");
    expect([...view.rows.keys()]).toEqual(["n2"]);
  });

  it("[AP180] users and controllers read views, agents do not", async () => {
    const tokens = (["user", "controller", "agent"] as const).map((kind) => ({
      token: `secret-of-${kind}`,
      kind,
      name: kind,
    }));
    api = await anApi({ auth: { tokens } });
    const statuses = await Promise.all(
      tokens.map(async ({ token }) => {
        const { status } = await api.get("/views/fleet", { authorization: `Bearer ${token}` });
        return status;
      }),
    );
    expect(statuses).toEqual([200, 200, 403]);
  });

  it("[AP182] watches end cleanly with the server, and are counted while they last", async () => {
    api = await anApiWithTenant();
    view = await aView(api.app, "quota");
    await view.row("payments");
    expect((await api.get("/metrics")).text).toMatch(/^berth_api_watchers 1$/m);
    const closing = api.app.close();
    await view.end();
    await closing;
  });
});

describe("objects", () => {
  beforeEach(async () => {
    api = await anApiWithTenant();
  });

  it("[AP183] fleet: a node from when it joins until it goes, with what is held of it and by whom it is held back", async () => {
    view = await aView(api.app, "fleet");
    await bind(api);
    const bound = await view.row("a-1", ({ replicas }) => replicas === 1);
    expect(bound).toMatchObject({ region: "eu", zone: "eu-a", health: "ready", why: "" });
    expect(bound).toMatchObject({ supply: "hard", cordons: [], drain: null, leaving: 0 });
    expect(bound["cpu"]).toEqual([4_000, 100, 0, 0, 0, 3_900]);
    expect(bound["memory"]).toEqual([4_096, 64, 0, 0, 0, 4_032]);
    // A class above work that has none may preempt it.
    await api.post(`${BERTH}/priorityclasses`, aClass("gold", 1_000));
    const reclaimable = await view.row("a-1", (row) => text(row, "cpu").startsWith("[4000,0,"));
    expect(reclaimable["cpu"]).toEqual([4_000, 0, 100, 0, 0, 3_900]);
    const held = {
      spec: {
        cordons: [{ holder: loginName(), reason: "disk" }],
        draining: true,
        drain: { holder: loginName(), reason: "move", deadline: "1h" },
      },
    };
    expect((await api.patch(`${BERTH}/nodes/a-1`, held)).status).toBe(200);
    const drained = await view.row("a-1", ({ drain }) => drain !== null);
    expect(drained["health"]).toBe("ready,draining,cordoned");
    expect(drained["cordons"]).toEqual([{ by: loginName(), why: "disk" }]);
    const { since, deadline } = drained["drain"] as { since: number; deadline: number };
    expect(drained["drain"]).toMatchObject({ by: loginName(), why: "move", over: null });
    expect(deadline - since).toBe(3_600_000);
    await api.send(
      { kind: "evict", replica, incarnation: 1, evidence: { kind: "drain", node: "a-1" } },
      "drain-node",
    );
    await view.row("a-1", ({ leaving }) => leaving === 1);
    await api.delete(`${BERTH}/nodes/a-1?propagationPolicy=Orphan`);
    await view.until((rows) => !rows.has("a-1"));
  });

  it("[AP183] fleet: its rows add up to what /capacity counts", async () => {
    await bind(api);
    for (const [name, supply] of [
      ["a-2", "hard"],
      ["later", "soft"],
    ] as const) {
      const node = aNodeObject(name);
      await api.post(`${BERTH}/nodes`, { ...node, spec: { ...node.spec, supply } });
    }
    const { json } = await api.get("/views/fleet");
    const columns = json["columns"] as unknown as string[];
    const rows = (json["rows"] as unknown as unknown[][]).map((row) => named(columns, row));
    const hard = rows.filter(({ supply }) => supply === "hard").map(({ cpu }) => cpu as number[]);
    const sum = (at: number): number => hard.reduce((all, cpu) => all + (cpu[at] ?? 0), 0);
    const { json: capacity } = await api.get("/capacity");
    expect(capacity["total"]?.["hard"]).toMatchObject({
      capacity: { cpu: String(sum(0) / 1_000) },
      committed: { cpu: `${sum(1)}m` },
      free: { cpu: `${sum(3) + sum(5)}m` },
    });
    const soft = rows.find(({ node }) => node === "later");
    expect(soft).toMatchObject({ supply: "soft", cpu: [4_000, 0, 0, 0, 0, 0] });
  });

  it("[AP184] workloads: stages, what is not fine, rollouts and jobs", async () => {
    view = await aView(api.app, "workloads");
    await bind(api);
    const bound = await view.row("payments/api", (row) => text(row, "stages") === '{"bound":1}');
    expect(bound).toMatchObject({ type: "service", wanted: 1, ready: 0, pending: [], batch: null });
    expect(bound["conditions"]).toMatchObject([
      { type: "Available", status: "False" },
      { type: "Progressing", status: "True" },
    ]);
    await serve(api);
    const serving = await view.row("payments/api", ({ ready }) => ready === 1);
    expect(serving).toMatchObject({ stages: { serving: 1 }, conditions: [], rollout: null });
    const run = { spec: { run: { command: ["serve", "--new"] } } };
    await api.patch(`${WORKLOADS}/api`, run);
    const rolling = await view.row("payments/api", ({ rollout }) => rollout !== null);
    expect(rolling["rollout"]).toMatchObject({ stage: "rolling", from: null, to: 2, updated: 0 });
    const job = aWorkloadObject("sums", {
      spec: { type: "batch", replicas: undefined, batch: { completions: 3, parallelism: 2 } },
    });
    expect((await api.post(WORKLOADS, job)).status).toBe(201);
    const missing = await view.row("payments/sums");
    expect(missing["batch"]).toMatchObject({ completions: 3, parallelism: 2, outcome: null });
    expect(missing["pending"]).toEqual([
      {
        reason: "not-admitted",
        count: 2,
        text: "is not admitted yet",
        cause: "is not admitted yet",
        by: "",
        restarts: null,
      },
    ]);
    await api.delete(`${WORKLOADS}/sums`);
    await view.row("payments/sums", ({ deleting }) => deleting !== null);
  });

  it("[AP186] quota: what the accounts say of tenants and groups, and whose turn it is", async () => {
    view = await aView(api.app, "quota");
    const bare = await view.row("payments");
    expect(bare).toMatchObject({
      kind: "tenant",
      limit: null,
      group: null,
      turn: null,
      waiting: 0,
    });
    await bind(api);
    const used = await view.row("payments", (row) => text(row, "used") === "[100,64,0]");
    expect(used).toMatchObject({ limit: [4_000, 4_096, 0], free: [3_900, 4_032, 0], weight: 1 });
    // 100m of 4 CPUs, in millionths.
    expect(used["share"]).toBe(25_000);
    const spec = {
      limit: { cpu: "50m", memory: "1Gi" },
      group: "retail",
      borrow: { cpu: 1, memory: "1Gi" },
      weight: 2,
      regions: { eu: { cpu: 2, memory: "2Gi" } },
    };
    expect((await api.put(QUOTA, aQuota(spec))).status).toBe(200);
    const grouped = await view.row("payments", ({ group }) => group === "retail");
    expect(grouped).toMatchObject({
      mayBorrow: [1_000, 1_024, 0],
      borrowed: [50, 0, 0],
      share: 12_500,
    });
    expect(grouped["regions"]).toMatchObject([{ name: "eu", used: [100, 64, 0] }]);
    expect(await view.row("group/retail")).toMatchObject({
      kind: "group",
      tenants: ["payments"],
      limit: [50, 1_024, 0],
      used: [100, 64, 0],
      borrowed: [50, 0, 0],
      weight: null,
    });
    // A second index waits for quota: its tenant has a turn.
    await api.patch(`${WORKLOADS}/api`, { spec: { replicas: 2 } });
    await api.send({ kind: "admit", workload, generation: 1, index: 1, incarnation: 1 }, "admit");
    await view.row("payments", ({ turn, waiting }) => turn === 1 && waiting === 1);
    // A node more halves the share of everybody, whose quota nobody touched.
    await api.post(`${BERTH}/nodes`, aNodeObject("a-2"));
    await view.row("payments", ({ share }) => share === 6_250);
    await api.put(QUOTA, aQuota({ limit: { cpu: 1, memory: "1Gi" } }));
    await view.until((rows) => !rows.has("group/retail"));
  });
});

describe("a plane that follows", () => {
  it("[AP180] answers views of objects itself, and hands on those that rest on decisions, which end with the lead", async () => {
    api = await anApi();
    const planes = new SeveralPlanes();
    const controllers = { createControllers: () => createControllers({ schedulers: 1 }) };
    try {
      const a = await planes.open("a", { ...controllers, limits: { bookmarkEveryMs: 50 } });
      await planes.leader();
      const b = await planes.open("b", { ...controllers, limits: { leaderWaitMs: 20_000 } });
      const user = new PlaneUser(a.plane);
      await user.furnish();
      await user.putDesired(1);
      const fleet = await aViewAt(b.url, "fleet");
      const queue = await aViewAt(b.url, "queue");
      await fleet.row("n2");
      await queue.row("place-1 Workload/shop/api");
      expect(b.plane.owed()).toEqual([]);
      await a.plane.handOver();
      await queue.end();
      await until("b to lead", () => (b.plane.isLeading ? true : undefined));
      const again = await aViewAt(b.url, "queue");
      await again.row("place-1 Workload/shop/api");
      // The one that b answered itself has gone on all the time.
      await new PlaneUser(b.plane).lease("n1", 1);
      await fleet.row("n1", ({ health }) => health === "ready");
      for (const each of [fleet, again]) each.close();
    } finally {
      await planes.close();
    }
  });
});

describe("what waits", () => {
  beforeEach(async () => {
    api = await anApiWithTenant({ controllers: () => createControllers({ schedulers: 1 }) });
    await api.post(`${BERTH}/priorityclasses`, aClass("gold", 1_000));
    await api.post(`${BERTH}/nodes`, aNodeObject());
  });

  const WAIT = "place-1 Workload/payments/api";

  it("[AP185] queue: place, reason, wake-ups and deadline of what waits, told without a commit, until it waits no more", async () => {
    view = await aView(api.app, "queue");
    await api.post(
      `${BERTH}/namespaces/payments/quotas`,
      aQuota({ limit: { cpu: 4, memory: "4Gi" } }),
    );
    await api.post(
      WORKLOADS,
      aWorkloadObject("api", { spec: { replicas: 2, priorityClass: "gold" } }),
    );
    const row = await view.row(WAIT, ({ count }) => count === 2);
    expect(row).toMatchObject({
      class: "waiting",
      subject: "Workload/payments/api",
      tenant: "payments",
      priority: { name: "gold", value: 1_000 },
      position: 1,
      of: 1,
      ahead: 0,
      reason: "no-feasible-node",
      owner: "place-1",
    });
    expect(row["text"]).not.toBe("");
    expect(row["basis"]).toContain("left a node");
    expect(row["wakes"]).toContain("a node joins, recovers or gains room");
    expect(row["deadline"]).toBeGreaterThan(row["since"] as number);
    // The agent speaks: the node is ready and takes both.
    await api.send({ kind: "lease", node: "a-1", session: 1, seq: 1, kept: [] }, "agent");
    await view.until((rows) => !rows.has(WAIT));
  });

  it("[AP185] queue: everything else that is owed is a row, too, and ends with its subject", async () => {
    await api.send({ kind: "lease", node: "a-1", session: 1, seq: 1, kept: [] }, "agent");
    view = await aView(api.app, "queue");
    const row = await view.row("node-health Node//a-1");
    expect(row).toMatchObject({ class: "owed", position: null, count: null, tenant: "" });
    const owed = new Set(api.plane.owed().map(({ controller, key }) => `${controller} ${key}`));
    await view.until((rows) => [...owed].every((key) => rows.has(key)));
    await api.delete(`${BERTH}/nodes/a-1`);
    await view.until((rows) => !rows.has("node-health Node//a-1"));
  });

  it("[AP184] workloads: a waiting one has the reason of the component that moves it on, also when only that changes", async () => {
    view = await aView(api.app, "workloads");
    await api.post(
      `${BERTH}/namespaces/payments/quotas`,
      aQuota({ limit: { cpu: "150m", memory: "4Gi" } }),
    );
    await api.post(WORKLOADS, aWorkloadObject("api", { spec: { replicas: 2 } }));
    const row = await view.row(
      "payments/api",
      (one) => text(one, "pending").includes("place-1") && text(one, "pending").includes("admit"),
    );
    const pending = row["pending"] as readonly { by: string; reason: string; count: number }[];
    expect(pending.toSorted((a, b) => (a.by < b.by ? -1 : 1))).toMatchObject([
      { by: "admit", reason: "quota-exhausted", count: 1 },
      {
        by: "place-1",
        reason: "no-feasible-node",
        count: 1,
        cause: "all nodes are rejected: schedulable",
      },
    ]);
    const text1 = text(row, "pending");
    expect(text1).toContain("the quota of tenant payments is not enough");
    await api.put(QUOTA, aQuota({ limit: { cpu: 4, memory: "4Gi" } }));
    await view.row("payments/api", (one) => text(one, "pending").includes('"count":2'));
    await api.delete(`${WORKLOADS}/api`);
    await view.until((rows) => !rows.has("payments/api"));
  });
});
