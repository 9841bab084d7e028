import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { workloadKey } from "../../../src/core/model/ids.ts";
import { bind, replica, serve, workload } from "../a-bound-replica.ts";
import { type Api, anApiWithTenant, aWorkloadObject, BERTH, WORKLOADS } from "../an-api.ts";
import { SeveralPlanes } from "../../host/several-planes.ts";
import { TenantMeasures, tenantFamilies } from "../../../src/host/telemetry/tenant-measures.ts";
import { type Exposed, readExposed } from "./exposed-metrics.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

const scrape = async (of: Api): Promise<Exposed> => readExposed((await of.get("/metrics")).text);

describe("the metrics of a plane", () => {
  it("follow a replica from its admission to serving and to its end", async () => {
    await bind(api);
    const bound = await scrape(api);
    expect(bound.samples.get('berth_replicas{stage="bound"}')).toBe(1);
    expect(bound.samples.get('berth_queue_length{class="none"}')).toBe(0);
    expect(bound.samples.get('berth_bind_seconds_count{class="none"}')).toBe(1);
    expect(bound.samples.get('berth_queue_wait_seconds_bucket{class="none",le="+Inf"}')).toBe(1);
    expect(bound.samples.get('berth_stage_seconds_count{stage="bound"}')).toBe(0);
    await serve(api);
    const serving = await scrape(api);
    expect(serving.samples.get('berth_replicas{stage="serving"}')).toBe(1);
    expect(serving.samples.get('berth_replicas{stage="bound"}')).toBe(0);
    for (const stage of ["bound", "starting", "ready"]) {
      expect(serving.samples.get(`berth_stage_seconds_count{stage="${stage}"}`)).toBe(1);
    }
    expect(serving.samples.get("berth_admit_seconds_count")).toBe(1);
    expect(serving.samples.get('berth_commits_total{command="report"}')).toBe(3);
    expect(serving.samples.get('berth_appends_total{result="durable"}')).toBeGreaterThan(5);
    await api.patch(`${WORKLOADS}/api`, { spec: { replicas: 0 } });
    const evidence = { kind: "surplus", workload } as const;
    await api.send({ kind: "evict", replica, incarnation: 1, evidence }, "admit");
    expect((await scrape(api)).samples.get('berth_stops_total{reason="surplus"}')).toBe(1);
  });

  it("count what the authority turned down, by the code of the refusal", async () => {
    await bind(api);
    const again = { kind: "bind", replica, incarnation: 7, node: "a-1", deviceIds: [] } as const;
    await expect(api.send(again, "place")).rejects.toThrow("was not committed");
    const refused = [...(await scrape(api)).samples].filter(
      ([name]) => name.startsWith("berth_command_outcomes_total") && !name.includes('code=""'),
    );
    expect(refused).toHaveLength(1);
  });

  it("give only the first sixteen priority classes a series of their own", async () => {
    await bind(api);
    for (let at = 0; at < 20; at += 1) {
      const name = `of-class-${at}`;
      const spec = { priorityClass: `class-${at}` };
      await api.post(`${BERTH}/priorityclasses`, {
        apiVersion: "berth.dev/v1",
        kind: "PriorityClass",
        metadata: { name: spec.priorityClass },
        spec: { value: at },
      });
      await api.post(WORKLOADS, aWorkloadObject(name, { spec }));
      const indexes = [{ index: 0, incarnation: 1 }];
      const queued = { workload: workloadKey("payments", name), generation: 1, indexes };
      await api.send({ kind: "enqueue", ...queued }, "admit");
    }
    const { samples } = await scrape(api);
    const classes = [...samples.keys()].filter((name) => name.startsWith("berth_queue_length"));
    expect(classes).toHaveLength(18);
    expect(samples.get('berth_queue_length{class="class-15"}')).toBe(1);
    expect(samples.get('berth_queue_length{class="other"}')).toBe(4);
  });

  it("are the same after a restart as if the plane had seen it all, in what is there now", async () => {
    await bind(api);
    const { createApiServer } = await import("../../../src/api/http/create-api-server.ts");
    const { createHostClock } = await import("../../../src/host/host-clock.ts");
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const later = createApiServer({ plane: api.plane, clock: createHostClock(), log });
    const { payload } = await later.inject("/metrics");
    await later.close();
    expect(readExposed(payload).samples.get('berth_replicas{stage="bound"}')).toBe(1);
  });

  it("are all explained in docs/metrics.md, which explains no other", async () => {
    await bind(api);
    const { names: whole } = await scrape(api);
    const own = tenantFamilies([], new TenantMeasures()).map(({ name }) => name);
    const names = new Set([...whole, ...own]);
    const explained = [...read("docs/metrics.md").matchAll(/^\| `([a-z_]+)` \|/gm)].map(
      ([, name]) => name,
    );
    expect(new Set(explained)).toEqual(names);
    expect(explained).toHaveLength(names.size);
  });
});

it("the Grafana dashboard asks only for metrics that a plane has, with labels that they have", async () => {
  await bind(api);
  await serve(api);
  const { names } = await scrape(api);
  const dashboard = JSON.parse(read("deploy/grafana/berth.json")) as Dashboard;
  const asked = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(asked.length).toBeGreaterThan(20);
  const labels = new Map(
    [...read("docs/metrics.md").matchAll(/^\| `([a-z_]+)` \| \w+ \| ([^|]*) \|/gm)].map(
      ([, name, listed = ""]) => [name, [...listed.matchAll(/`(\w+)`/g)].map(([, label]) => label)],
    ),
  );
  const ofScraper = ["instance", "le"];
  for (const expr of asked) {
    const families = [...expr.matchAll(/\b(berth_[a-z_]+?)(?:_bucket)?(?=\{)/g)].map(
      ([, name = ""]) => name,
    );
    const unknown = families.filter((name) => !names.has(name));
    const known = new Set([...families.flatMap((name) => labels.get(name) ?? []), ...ofScraper]);
    const grouped = [...expr.matchAll(/ by \(([^)]*)\)/g)].flatMap(([, by = ""]) => by.split(", "));
    const unlabelled = grouped.filter((label) => !known.has(label));
    expect({ expr, unknown, unlabelled, isAbout: families.length > 0 }).toEqual({
      expr,
      unknown: [],
      unlabelled: [],
      isAbout: true,
    });
  }
});

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

describe("the metrics of several planes", () => {
  it("tell of one that follows how far behind it is, and of the leader how long it leads", async () => {
    const planes = new SeveralPlanes();
    try {
      const a = await planes.open("a");
      await planes.leader();
      const b = await planes.open("b");
      const [led, followed] = await Promise.all(
        [a, b].map(async ({ url }) => readExposed(await (await fetch(`${url}/metrics`)).text())),
      );
      expect(led?.samples.get("berth_lease_left_seconds")).toBeGreaterThan(0);
      expect(followed?.samples.get("berth_lease_left_seconds")).toBe(0);
      expect(followed?.samples.get("berth_follower_lag_revisions")).toBe(0);
      expect(led?.samples.get("berth_leaderships_total")).toBeGreaterThanOrEqual(0);
    } finally {
      await planes.close();
    }
  });
});
