/** What leaves a plane for a collector of traces: names and times of its own, and nothing of what people hide. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiToken } from "../../../src/api/identity/token-registry.ts";
import { newToken } from "../../../src/api/identity/token-digest.ts";
import { IncarnationTracer } from "../../../src/host/telemetry/trace/incarnation-tracer.ts";
import { OtlpExporter } from "../../../src/host/telemetry/trace/otlp-exporter.ts";
import { bind, replica } from "../a-bound-replica.ts";
import { anApi, type Api, aTenantObject, BERTH, WORKLOADS } from "../an-api.ts";
import { Collector } from "./a-collector.ts";

const ROOT = newToken();
const ANOTHER = newToken();
const MARK = "marker-7f3a91";
const ADDRESS = "203.0.113.77";
const tokens: readonly ApiToken[] = [{ token: ROOT, kind: "local", name: "root" }];
const headers = { authorization: `Bearer ${ROOT}`, "x-forwarded-for": ADDRESS };

let api: Api;
let collector: Collector;
beforeAll(async () => {
  collector = await new Collector().open();
  api = await anApi({ auth: { tokens } });
});
afterAll(async () => {
  await api.close();
  await collector.close();
});

/** As `bind` writes them, with what people hide in every place that takes a text. */
async function furnish(): Promise<void> {
  await api.post(`${BERTH}/tenants`, aTenantObject("payments"), headers);
  const asRoot = {
    ...api,
    post: (url: string, body: unknown) => api.post(url, hiding(url, body), headers),
  };
  await bind(asRoot);
}

function hiding(url: string, body: unknown): unknown {
  if (url !== WORKLOADS) return body;
  const { metadata, spec } = body as { metadata: object; spec: { run: object } };
  const run = {
    ...spec.run,
    command: ["serve", `--password=${MARK}-argument`],
    env: { PASSWORD: `${MARK}-value` },
  };
  const annotations = { note: `${MARK}-annotation` };
  return { ...(body as object), metadata: { ...metadata, annotations }, spec: { ...spec, run } };
}

test("no span has a token, a value, an argument, an annotation or an address of a caller [AZ56]", async () => {
  const exporter = new OtlpExporter({
    target: { url: collector.url, headers: {}, timeoutMs: 10_000 },
    resource: { "service.name": "berth", "service.instance.id": "a" },
    counts: api.plane.meter.spans,
    onTrouble: (sentence) => {
      throw new Error(sentence);
    },
  });
  const { plane } = api;
  const tracer = new IncarnationTracer({ plane, rate: 1, take: (spans) => exporter.take(spans) });
  await furnish();
  // Operations are in spans, and a caller names its own by this header.
  const path = `${BERTH}/namespaces/payments/replicas/api.1.0`;
  const deleted = await api.app.inject({
    method: "DELETE",
    url: path,
    headers: { ...headers, "idempotency-key": ANOTHER },
  });
  expect(deleted.statusCode).toBe(200);
  const report = { kind: "report", replica, incarnation: 1, node: "a-1", session: 1 } as const;
  const reason = `exit 1: Bearer ${ANOTHER}`;
  await api.send({ ...report, stage: "failed", reason }, "agent");
  tracer.close();
  await exporter.close();
  const sent = JSON.stringify(collector.spans);
  expect(sent).toContain("berth.tenant");
  expect(sent).toContain("exit 1: <token>");
  for (const hidden of [MARK, ROOT, ANOTHER, ADDRESS, "127.0.0.1"]) {
    expect([hidden, sent.includes(hidden)]).toEqual([hidden, false]);
  }
});

test("a span has these attributes and no other [AZ56]", () => {
  const names = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
  const known = [
    "berth.actor",
    "berth.basis_revision",
    "berth.command",
    "berth.end",
    "berth.epoch",
    "berth.generation",
    "berth.incarnation",
    "berth.node",
    "berth.operation",
    "berth.outcome",
    "berth.policy",
    "berth.policy_revision",
    "berth.priority_class",
    "berth.quota",
    "berth.replica",
    "berth.revision",
    "berth.tenant",
    "berth.workload",
  ];
  expect([...names].toSorted()).toEqual(known);
});
