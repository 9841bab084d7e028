/** Requests that real processes answer, measured by their agent, become replicas; and no requests become fewer. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type RunningAgent, runAgent } from "../../src/agent/run-agent.ts";
import type { Replica } from "../../src/core/model/objects.ts";
import { workloadKey } from "../../src/core/model/ids.ts";
import { ServedPlane } from "../e2e/served-plane.ts";
import { eventually } from "./a-driver.ts";
import { removeFolder } from "../builders/remove-folder.ts";

/** The log takes an observation every five seconds; the rest is looked at as often as is needed to wait for no more. */
const SOON_MS = 500;
/** Answered on any machine by one process that is asked without a pause: so few that its speed does not matter. */
const PER_REPLICA = 2;

let plane: ServedPlane;
let folder: string;
let agent: RunningAgent | undefined;
const broken: unknown[] = [];

beforeEach(async () => {
  plane = new ServedPlane({ observeMs: SOON_MS });
  await plane.start();
  folder = mkdtempSync(join(tmpdir(), "berth-rates-"));
});
afterEach(async () => {
  await agent?.stop({ stopProcesses: true });
  await plane.remove();
  await removeFolder(folder);
  if (broken.length > 0) throw new Error("The agent broke.", { cause: broken[0] });
});

const BERTH = "apis/berth.dev/v1";
const OURS = `${BERTH}/namespaces/payments`;

async function post(path: string, object: object): Promise<void> {
  const response = await fetch(`${plane.url}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ apiVersion: "berth.dev/v1", ...object }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

interface Written {
  readonly kind: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The example, under a name, with other words where the test is in more of a hurry. */
async function apply(name: string, workload: object = {}): Promise<void> {
  const file = new URL("../../examples/autoscaling/requests.yaml", import.meta.url);
  const written = parseAllDocuments(readFileSync(file, "utf8")).map(
    (each) => each.toJS() as Written,
  );
  const pace = { window: "0s", replicas: 4, period: "0s" };
  const [service, scaler] = written as [Written, Written];
  await post(`${OURS}/workloads`, {
    kind: "Workload",
    metadata: { name },
    spec: { ...service.spec, ...workload },
  });
  await post(`${OURS}/autoscalers`, {
    kind: "Autoscaler",
    metadata: { name },
    spec: {
      ...scaler.spec,
      workload: name,
      max: 3,
      target: { requests: PER_REPLICA },
      up: pace,
      down: pace,
    },
  });
}

async function startAgent(): Promise<void> {
  agent = await runAgent({
    node: {
      name: "a-1",
      region: "eu",
      zone: "eu-a",
      cpuMillis: 4_000,
      memoryMiB: 4_096,
      deviceClass: "",
      deviceIds: [],
      labels: {},
    },
    servers: [new URL(plane.url)],
    folder,
    credentials: {},
    note: () => undefined,
    onBroken: (error) => void broken.push(error),
    sampleMs: SOON_MS,
  });
}

const serving = (name: string): readonly Replica[] =>
  [...plane.running.objects.all("Replica").values()].filter(
    ({ spec, status }) => spec.workload === name && status.stage === "serving",
  );

const wanted = (name: string): number | undefined =>
  plane.running.objects.workload(workloadKey("payments", name))?.spec.replicas;

const shown = async (name: string): Promise<{ readonly status: { readonly reason: string } }> =>
  (await fetch(`${plane.url}/${OURS}/autoscalers/${name}`)).json() as never;

/** Asks whoever serves, one request after the other, until it is over. */
async function load(name: string, over: AbortSignal): Promise<void> {
  for (let turn = 0; !over.aborted; turn += 1) {
    const all = serving(name);
    const { address } = all[turn % Math.max(1, all.length)]?.status ?? {};
    const url = `http://${address?.host}:${address?.ports["http"]}/quote`;
    // One that was asked to stop a moment ago may be gone.
    await fetch(url).then(
      (response) => response.text(),
      () => new Promise((resolve) => setTimeout(resolve, SOON_MS)),
    );
  }
}

test("[AS10] requests that agents count become replicas and go with them; what cannot be counted is said and changes nothing", async () => {
  await post(`${BERTH}/tenants`, { kind: "Tenant", metadata: { name: "payments" } });
  const limit = { cpu: "4", memory: "4Gi" };
  await post(`${OURS}/quotas`, { kind: "Quota", metadata: { name: "default" }, spec: { limit } });
  await startAgent();
  await apply("quotes");
  await apply("mute", { replicas: 2, metrics: { port: "metrics", path: "/elsewhere" } });
  await eventually(
    "all to serve",
    () => serving("quotes").length === 1 && serving("mute").length === 2,
  );

  const over = new AbortController();
  const asking = load("quotes", over.signal);
  await eventually("more replicas", () => wanted("quotes") === 3);
  await eventually("them to serve", () => serving("quotes").length === 3);
  over.abort();
  await asking;
  await eventually("fewer replicas", () => wanted("quotes") === 1);

  const scales = plane.running.since()!.filter(({ command }) => command === "scale");
  expect(new Set(scales.map(({ evidence }) => evidence?.kind))).toEqual(new Set(["load-observed"]));
  expect(wanted("mute")).toBe(2);
  const { status } = await shown("mute");
  expect(status.reason).toMatch(
    /not measured: mute\.1\.0: GET \/elsewhere at 127\.0\.0\.1:\d+ answered 404$/,
  );
});
