/** The table client × capability: run against one plane, and written as docs/api-conformance.md shows it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { CLIENT_TOOLS, clientFolder, hasClient } from "../../../scripts/client-tools.mjs";
import { LocalBerth, type ShownReplica } from "../local-berth.ts";
import { CAPABILITIES, type Outcomes, type Stage, WORKS } from "./capability.ts";
import { runClientNode } from "./client-node-client.ts";
import { runKubectl } from "./kubectl-client.ts";
import { runPromtool } from "./promtool-client.ts";
import { runPython, runRuby } from "./script-client.ts";

export const TABLE_PAGE = fileURLToPath(
  new URL("../../../docs/api-conformance.md", import.meta.url),
);
const BEGINNING = "<!-- clients: written by `npm run clients` -->\n";
const END = "<!-- /clients -->";

interface Client {
  readonly title: string;
  readonly name: string;
  readonly run: (stage: Stage) => Promise<Outcomes>;
}

const CLIENTS: readonly Client[] = [
  {
    title: "kubectl, current",
    name: "kubectl",
    run: (stage) => runKubectl(stage, "kubectl", false),
  },
  {
    title: "kubectl 1.20",
    name: "kubectl-old",
    run: (stage) =>
      runKubectl(stage, path.join(clientFolder("kubernetes-client"), "usr/bin/kubectl"), true),
  },
  { title: "python3-kubernetes", name: "python", run: runPython },
  { title: "ruby-kubeclient", name: "ruby", run: runRuby },
  { title: "@kubernetes/client-node", name: "node", run: runClientNode },
  { title: "promtool", name: "promtool", run: runPromtool },
];

export interface Result {
  readonly title: string;
  readonly outcomes: Outcomes;
}

export async function runClients(): Promise<readonly Result[]> {
  for (const tool of CLIENT_TOOLS) {
    if (hasClient(tool)) continue;
    throw new Error(`${tool.name} is missing: run \`node scripts/ensure-tools.mjs\` first.`);
  }
  const berth = new LocalBerth();
  try {
    await berth.build();
    berth.start("--agents", "1", "--regions", "1", "--no-apply", "--no-incident");
    const stages = await furnish(berth);
    return await Promise.all(
      CLIENTS.map(async ({ title, run }, at) => ({ title, outcomes: await run(stages[at]!) })),
    );
  } finally {
    await berth.remove();
  }
}

const furniture = (namespace: string): string => `---
apiVersion: berth.dev/v1
kind: Tenant
metadata: { name: ${namespace} }
---
apiVersion: berth.dev/v1
kind: Quota
metadata: { name: default, namespace: ${namespace} }
spec: { limit: { cpu: "1", memory: 1Gi } }
---
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: hello, namespace: ${namespace}, labels: { app: hello } }
spec:
  replicas: 1
  resources: { cpu: 10m, memory: 16Mi }
  run: { command: [sh, -c, "echo hello; exec sleep 1000"] }
`;

/** A tenant for each client, in which one replica serves. */
async function furnish(berth: LocalBerth): Promise<readonly Stage[]> {
  const manifest = path.join(berth.data, "clients.yaml");
  writeFileSync(manifest, CLIENTS.map(({ name }) => furniture(name)).join(""));
  await berth.until("the plane", async () =>
    (await berth.list("nodes"))?.length === 1 ? true : undefined,
  );
  const applied = await berth.run("apply", "-f", manifest, "--data", berth.data);
  if (applied.status !== 0) throw new Error(applied.out);
  const config = await berth.run("kubeconfig", "--data", berth.data);
  const kubeconfig = path.join(berth.data, "kubeconfig");
  writeFileSync(kubeconfig, config.out, { mode: 0o600 });
  const token = readFileSync(path.join(berth.data, "admin.token"), "utf8").trim();
  const serving = await berth.until("a serving replica of each client", async () => {
    const all = (await berth.list<ShownReplica>("replicas")) ?? [];
    const ready = all.filter(({ status }) => status.stage === "serving");
    return ready.length === CLIENTS.length ? ready : undefined;
  });
  return CLIENTS.map(({ name }) => {
    const folder = path.join(berth.data, "clients", name);
    mkdirSync(folder, { recursive: true });
    const replica = serving.find(({ metadata }) => metadata.namespace === name)!.metadata.name;
    return { kubeconfig, url: berth.urls[0]!, token, namespace: name, replica, folder };
  });
}

/** Every outcome that is no "yes", with the client's own words. */
export const faultsOf = (results: readonly Result[]): readonly string[] =>
  results.flatMap(({ title, outcomes }) =>
    Object.entries(outcomes)
      .filter(([, outcome]) => outcome !== WORKS)
      .map(([capability, outcome]) => `${title}, ${capability}: ${outcome}`),
  );

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
const cell = (outcome: string | undefined): string =>
  outcome === undefined ? "–" : outcome === WORKS ? WORKS : "**no**";

function tableText(results: readonly Result[]): string {
  return [
    row(["", ...results.map(({ title }) => title)]),
    `|${"---|".repeat(results.length + 1)}\n`,
    ...CAPABILITIES.map((capability) =>
      row([capability, ...results.map(({ outcomes }) => cell(outcomes[capability]))]),
    ),
  ].join("");
}

/** The page as it would be with these results. */
export function pageWith(page: string, results: readonly Result[]): string {
  const start = page.indexOf(BEGINNING) + BEGINNING.length;
  const end = page.indexOf(END, start);
  if (start < BEGINNING.length || end < 0) throw new Error("the page has no place for the table");
  return `${page.slice(0, start)}\n${tableText(results)}\n${page.slice(end)}`;
}
