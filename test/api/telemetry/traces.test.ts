import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Plane } from "../../../src/host/plane.ts";
import { IncarnationTracer } from "../../../src/host/telemetry/trace/incarnation-tracer.ts";
import { OtlpExporter, type SpanCounts } from "../../../src/host/telemetry/trace/otlp-exporter.ts";
import { isSampled, type Span } from "../../../src/host/telemetry/trace/span.ts";
import type { Uid } from "../../../src/core/model/ids.ts";
import { PlaneUser, until } from "../../host/a-running-plane.ts";
import { SeveralPlanes } from "../../host/several-planes.ts";
import { bind, replica, serve } from "../a-bound-replica.ts";
import { type Api, anApiWithTenant } from "../an-api.ts";
import { Collector } from "./a-collector.ts";

let collector: Collector;
const troubles: string[] = [];
beforeEach(async () => {
  collector = await new Collector().open();
  troubles.length = 0;
});
afterEach(() => collector.close());

const none = (): SpanCounts => ({ exported: 0, dropped: 0, failed: 0 });

const anExporter = (name: string, counts = none()): OtlpExporter =>
  new OtlpExporter({
    target: { url: collector.url, headers: { "x-team": "berth" }, timeoutMs: 10_000 },
    resource: { "service.name": "berth", "service.instance.id": name },
    counts,
    onTrouble: (sentence) => troubles.push(sentence),
  });

function trace(name: string, plane: Plane): { readonly close: () => Promise<void> } {
  const exporter = anExporter(name, plane.meter.spans);
  const tracer = new IncarnationTracer({ plane, rate: 1, take: (spans) => exporter.take(spans) });
  return {
    close: () => {
      tracer.close();
      return exporter.close();
    },
  };
}

describe("a trace of a replica", () => {
  let api: Api;
  beforeEach(async () => {
    api = await anApiWithTenant();
  });
  afterEach(() => api.close());

  it("tells its incarnation from admission to serving, stage by stage, with the commands that moved it", async () => {
    const tracing = trace("a", api.plane);
    await bind(api);
    await serve(api);
    await tracing.close();
    const names = collector.spans.map(({ name }) => name);
    expect(names).toEqual([
      "admitted",
      "queued",
      "bound",
      "starting",
      "ready",
      "serving",
      "replica",
    ]);
    const [root] = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    const stages = collector.spans.filter(({ name }) => name !== "replica");
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(7);
    for (const { parentSpanId } of stages) expect(parentSpanId).toBe(root?.spanId);
    expect(root).toMatchObject({ name: "replica", attributes: { "berth.outcome": "serving" } });
    const commits = api.plane.since(0) ?? [];
    const bound = commits.find(({ command }) => command === "bind");
    const made = commits.find(({ command }) => command === "admit");
    expect(root?.startMs).toBe(made?.atMs);
    expect(collector.spans.find(({ name }) => name === "bound")).toMatchObject({
      startMs: bound?.atMs,
      attributes: {
        "berth.tenant": "payments",
        "berth.workload": "api",
        "berth.generation": 1,
        "berth.incarnation": 1,
        "berth.policy": "default",
        "berth.policy_revision": 0,
        "berth.quota": "within-limit",
        "berth.basis_revision": bound?.basis,
        "berth.operation": bound?.operation,
        "berth.epoch": 1,
        "berth.node": "a-1",
        "berth.outcome": "starting",
      },
    });
    // Nothing lies between two stages.
    for (const [at, { endMs }] of stages.slice(0, -1).entries()) {
      expect(stages[at + 1]?.startMs).toBe(endMs);
    }
    expect(collector.headers[0]).toMatchObject({ "x-team": "berth" });
    expect(api.plane.meter.spans).toEqual({ exported: 7, dropped: 0, failed: 0 });
  });

  it("ends as an error when its process fails before it serves, and its next incarnation is another trace", async () => {
    const tracing = trace("a", api.plane);
    await bind(api);
    const report = { kind: "report", replica, incarnation: 1, node: "a-1", session: 1 } as const;
    await api.send({ ...report, stage: "failed", reason: "exit 1" }, "agent");
    await tracing.close();
    expect(collector.spans.at(-1)).toMatchObject({
      name: "replica",
      attributes: { "berth.outcome": "failed", "berth.end": "exit 1" },
    });
  });
});

const send = (plane: Plane, intent: object, role: "admit" | "place" | "agent") =>
  plane.submit({ ...intent, operation: JSON.stringify(intent) } as never, {
    role,
    name: role === "agent" ? "agent:n1" : role,
  });

it("two leaders tell of one incarnation in one trace, each what it led through", async () => {
  const planes = new SeveralPlanes();
  try {
    const a = await planes.open("a");
    await planes.leader();
    const user = new PlaneUser(a.plane);
    const b = await planes.open("b");
    const tracing = [trace("a", a.plane), trace("b", b.plane)];
    await user.furnish();
    await user.lease("n1", 1);
    await user.putDesired(1);
    const indexes = [{ index: 0, incarnation: 1 }];
    const workload = "Workload/shop/api" as never;
    await send(a.plane, { kind: "enqueue", workload, generation: 1, indexes }, "admit");
    const { key } = await until("the replica", () => user.replica(0));
    const binding = { replica: key, incarnation: 1, node: "n1", deviceIds: [] };
    await send(a.plane, { kind: "bind", ...binding }, "place");
    await a.plane.handOver();
    await until("b to lead", () => (b.plane.isLeading ? true : undefined));
    const report = { kind: "report", replica: key, incarnation: 1, node: "n1", session: 1 };
    await send(b.plane, { ...report, stage: "starting" }, "agent");
    await send(b.plane, { ...report, stage: "serving" }, "agent");
    for (const each of tracing) await each.close();
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
    const told = collector.spans.map(({ name, from }) => `${from} ${name}`).toSorted();
    expect(told).toEqual([
      "a admitted",
      "a queued",
      "b bound",
      "b replica",
      "b serving",
      "b starting",
    ]);
    const root = collector.spans.find(({ name }) => name === "replica");
    const admitted = collector.spans.find(({ name }) => name === "admitted");
    expect(root?.startMs).toBe(admitted?.startMs);
    expect(admitted?.parentSpanId).toBe(root?.spanId);
  } finally {
    await planes.close();
  }
});

const aSpan = (at: number): Span => ({
  traceId: String(at).padStart(32, "a"),
  spanId: String(at).padStart(16, "b"),
  name: "replica",
  startMs: at,
  endMs: at + 1,
  attributes: [],
  isError: false,
});
const spans = (count: number): Span[] => Array.from({ length: count }, (_, at) => aSpan(at));

describe("the exporter", () => {
  it("keeps a bounded queue and drops the rest while the collector does not answer", async () => {
    collector.answers.push("never");
    const counts = none();
    const exporter = anExporter("a", counts);
    exporter.take(spans(300));
    for (let at = 0; at < 10; at += 1) exporter.take(spans(1_000));
    // 256 are under way, 8,192 fit behind what is left.
    expect(counts.dropped).toBe(300 + 10_000 - 256 - 8_192);
    await exporter.close();
    expect(counts.dropped + counts.failed + counts.exported).toBe(10_300);
    expect(collector.spans).toEqual([]);
  });

  it("sends again what a collector was too busy for, and says once what it does not take", async () => {
    collector.answers.push(503);
    const exporter = anExporter("a");
    exporter.take([aSpan(1)]);
    await until("the span", () => collector.spans[0]);
    collector.answers.push(400, 400);
    exporter.take([aSpan(2)]);
    await until("trouble", () => troubles[0]);
    exporter.take([aSpan(3)]);
    await exporter.close();
    expect(troubles).toEqual([`Cannot send traces to ${collector.url}: it answered 400.`]);
  });
});

it("sampling picks the asked part of all incarnations, and the same ones everywhere", () => {
  const uids = Array.from({ length: 20_000 }, (_, at) => `${at}-payments.api` as Uid);
  const picked = uids.filter((uid) => isSampled(uid, 1, 0.05));
  expect(picked.length).toBeGreaterThan(800);
  expect(picked.length).toBeLessThan(1_200);
  expect(uids.filter((uid) => isSampled(uid, 1, 0.05))).toEqual(picked);
  expect(uids.some((uid) => isSampled(uid, 1, 0))).toBe(false);
});
