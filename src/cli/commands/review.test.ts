import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runBerth } from "../../../test/builders/run-berth.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-review-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const node = (name: string, zone: string, cpu: string) => ({
  metadata: { name, labels: { "topology.kubernetes.io/zone": zone } },
  status: { allocatable: { cpu, memory: "8Gi" } },
});

const pod = (name: string, nodeName: string) => ({
  metadata: { name, namespace: "shop" },
  spec: { nodeName, containers: [{ resources: { requests: { cpu: "2" } } }] },
  status: { phase: "Running" },
});

const berth = runBerth;

/** Nodes as the API lists them, pods packed, and a file that is no Kubernetes object. */
function writeDump(name: string, nodes: readonly object[], pods: readonly object[]): string {
  const at = join(folder, name);
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at);
  writeFileSync(join(at, "nodes.json"), JSON.stringify({ kind: "NodeList", items: nodes }));
  const packed = gzipSync(JSON.stringify({ kind: "PodList", items: pods }));
  writeFileSync(join(at, "pods.json.gz"), packed);
  writeFileSync(join(at, "version.json"), '{"major":"1"}');
  return at;
}

const NODES = [node("a-1", "a", "4"), node("b-1", "b", "2"), node("b-2", "b", "4")];
const PODS = [pod("p1", "a-1"), pod("p2", "a-1"), pod("p3", "b-1")];

test("a dump is imported, and the review says which loss leaves which pods without a place", async () => {
  const fleet = join(folder, "fleet.jsonl");
  const made = await berth("import", "kubernetes", writeDump("small", NODES, PODS), "--out", fleet);
  expect(made.out).toContain("3 nodes, 3 pods (3 on a node), 3 workloads, 1 tenant.");
  expect(made.out).toContain("Berth's rules allow all 3 pods");
  expect(made.out).toContain("version.json: it holds no Kubernetes objects.");
  expect(made.code).toBe(0);

  const zones = await berth("review", "--fleet", fleet, "--lose", "zone");
  expect(zones.out).toContain("Breached: 1 of 2 such losses leave replicas without a place.");
  expect(zones.out).toMatch(/b +2 +1 +0 +1 +shop\/p3 +capacity \(1 node\)/);
  expect(zones.code).toBe(1);

  const nodes = await berth("review", "--fleet", fleet, "--lose", "node");
  expect(nodes.out).toContain("Holds: after any such loss of node");
  expect(nodes.code).toBe(0);
});

test("a place that is not there is named beside those that are", async () => {
  const fleet = join(folder, "known.jsonl");
  await berth("import", "kubernetes", writeDump("known", NODES, PODS), "--out", fleet);
  const { err, code } = await berth("review", "--fleet", fleet, "--lose", "zone", "--which", "z");
  expect(err).toContain("There is no zone z. There is a, b.");
  expect(code).toBe(2);
});

test.each([
  ["no JSON", "{", "It is not JSON"],
  ["no objects", "[]", "holds no JSON object"],
  [
    "no nodes",
    '{"kind":"PodList","items":[]}',
    "An import needs nodes and pods; it found nothing.",
  ],
])("a file with %s is rejected with its name and what to do", async (_, text, message) => {
  const file = join(folder, "bad.json");
  writeFileSync(file, text);
  const { err, code } = await berth("import", "kubernetes", file);
  expect(err).toContain(message);
  expect(err).toContain("bad.json");
  expect(code).toBe(2);
});

test("a fleet file that was cut off, or is none, is rejected", async () => {
  const fleet = join(folder, "cut.jsonl");
  await berth("import", "kubernetes", writeDump("cut", NODES, PODS), "--out", fleet);
  const lines = readFileSync(fleet, "utf8").trimEnd().split("\n");
  writeFileSync(fleet, lines.slice(0, -1).join("\n"));
  const cut = await berth("review", "--fleet", fleet, "--lose", "zone");
  expect(cut.err).toMatch(/It holds \d+ objects of \d+: its end is missing\./);
  writeFileSync(fleet, '{"kind":"List"}');
  const none = await berth("review", "--fleet", fleet, "--lose", "zone");
  expect(none.err).toContain("It is no fleet file. Make one with: berth import kubernetes");
  expect([cut.code, none.code]).toEqual([2, 2]);
});
