import { describe, expect, it } from "vitest";
import { UserError } from "../shell/errors.ts";
import { formatWorld, parseWorld } from "./world-file.ts";

const SMALL = `
name: small
regions:
  - { name: eu-west, zones: [a, b] }
nodes:
  - { count: 2, name: eu-a, region: eu-west, zone: a, capacity: { cpu: 8, memory: 32Gi } }
  - name: big
    region: eu-west
    zone: b
    capacity: { cpu: 1500m, memory: 512Mi }
    devices: { class: gpu, count: 2 }
    labels: { disk: ssd }
    taints: [{ key: gpu, value: "true" }]
tenants:
  - { name: payments, quota: { cpu: 16, memory: 64Gi, devices: 2 } }
workloads:
  - metadata: { name: risk-api, namespace: payments }
    spec:
      type: service
      replicas: 4
      priorityClass: critical
      resources: { cpu: 500m, memory: 256Mi }
      placement: { regions: [eu-west], zones: [a], spread: [{ by: zone, maxSkew: 1 }] }
      run: { command: [node, server.js] }
timeline:
  - { at: 10s, scale: { workload: payments/risk-api, replicas: 6 } }
  - { at: 1m30s, drain: { node: eu-a-2 } }
  - { at: 250ms, set-quota: { tenant: payments, cpu: 4, memory: 1Gi } }
schedulers: 3
faultsUntil: 90s
heal: 5m
startUp: 250ms
batchRun: 10s
`;

/** The mistakes of a text, one per line, with their places. */
function mistakesOf(text: string): string[] {
  try {
    parseWorld(text, "w.yaml");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { line, column } = error.place;
    const [first = "", ...others] = error.message.split("\n");
    return [`w.yaml:${line}:${column}: ${first}`, ...others];
  }
  return [];
}

/** `line:column` of a piece of the text, both counted from 1. */
function placeOf(text: string, piece: string): string {
  const before = text.slice(0, text.indexOf(piece)).split("\n");
  return `${before.length}:${before.at(-1)!.length + 1}`;
}

describe("parseWorld()", () => {
  it("turns quantities and durations into integers", () => {
    const world = parseWorld(SMALL, "w.yaml");
    expect(world.nodes.map(({ name }) => name)).toEqual(["eu-a-1", "eu-a-2", "big"]);
    expect(world.nodes[2]).toEqual({
      name: "big",
      labels: { disk: "ssd" },
      spec: {
        region: "eu-west",
        zone: "b",
        capacity: { cpuMillis: 1500, memoryMiB: 512, deviceMillis: 2000 },
        pools: [{ class: "gpu", model: "", ids: ["gpu-0", "gpu-1"] }],
        taints: [{ key: "gpu", value: "true", effect: "no-schedule" }],
        cordons: [],
        draining: false,
      },
    });
    expect(world.workloads[0]?.spec.template.ask.amounts).toEqual({
      cpuMillis: 500,
      memoryMiB: 256,
      deviceMillis: 0,
    });
    expect(world.timeline.map(({ atMs }) => atMs)).toEqual([10_000, 90_000, 250]);
    expect(world.timeline[0]?.action).toEqual({
      do: "scale",
      tenant: "payments",
      workload: "risk-api",
      replicas: 6,
    });
    expect(world).toMatchObject({ schedulers: 3, faultsUntilMs: 90_000, healMs: 300_000 });
  });

  it("reads back what formatWorld() writes", () => {
    const world = parseWorld(SMALL, "w.yaml");
    expect(parseWorld(formatWorld(world), "again.yaml")).toEqual(world);
    const several = { ...world, planes: 3 };
    expect(parseWorld(formatWorld(several), "again.yaml")).toEqual(several);
    const loss = { region: "eu-west", fromMs: 1_000, toMs: 2_000, downMs: 60_000 };
    const losing: typeof world = { ...world, losses: [loss], faults: ["lose-reply", "clock"] };
    expect(parseWorld(formatWorld(losing), "again.yaml")).toEqual(losing);
  });

  it.each([
    {
      title: "a loss that ends before it begins",
      from: "schedulers: 3",
      to: "losses: [{ region: eu-west, from: 20s, to: 10s, down: 1m }]",
      at: "10s, down",
      found: 'losses[0].to: found "10s", expected a time at or after "from".',
    },
    {
      title: "an unknown field, with what was meant",
      from: "replicas: 4",
      to: "replcas: 4",
      at: "replcas",
      found:
        'workloads[0].spec: unknown field "replcas", expected one of type, replicas, disruption, gang, rollout, recovery, batch, priorityClass, resources, placement, driver, run, onDisconnect, replaceAfter, reconcile, restartedAt. Did you mean "replicas"?',
    },
    {
      title: "a wrong type",
      from: "replicas: 4",
      to: "replicas: four",
      at: "four",
      found: 'workloads[0].spec.replicas: found "four", expected a whole number of at least 0.',
    },
    {
      title: "a missing field",
      from: "zone: b",
      to: "labels: {}",
      also: ["    labels: { disk: ssd }\n", ""],
      at: "name: big",
      found: 'nodes[1]: required field "zone" is missing.',
    },
    {
      title: "a region that is not there",
      from: "regions: [eu-west]",
      to: "regions: [eu-wset]",
      at: "eu-wset",
      found:
        'workloads[0].spec.placement.regions[0]: unknown region "eu-wset"; known: eu-west. Did you mean "eu-west"?',
    },
    {
      title: "a zone of another region",
      from: "zone: b",
      to: "zone: c",
      at: "c\n    capacity",
      found:
        'nodes[1].zone: unknown zone "eu-west/c"; known: eu-west/a, eu-west/b. Did you mean "eu-west/a"?',
    },
    {
      title: "a tenant that is not there",
      from: "namespace: payments",
      to: "namespace: shop",
      also: ["  - { at: 10s, scale: { workload: payments/risk-api, replicas: 6 } }\n", ""],
      at: "shop",
      found: 'workloads[0].metadata.namespace: unknown tenant "shop"; known: payments.',
    },
    {
      title: "a bad quantity",
      from: "memory: 512Mi",
      to: "memory: 512MB",
      at: "512MB",
      found: 'nodes[1].capacity.memory: found "512MB", expected memory such as 256Mi, 4Gi or 64M.',
    },
    {
      title: "a duration without a unit",
      from: "heal: 5m",
      to: "heal: 5",
      at: "5\nstartUp",
      found:
        'heal: found 5, expected a duration such as 250ms, 90s, 1m30s or 2h. Did you mean "5s"?',
    },
    {
      title: "a name that is taken",
      from: "name: big",
      to: "name: eu-a-1",
      at: "eu-a-1\n",
      found: 'nodes[1].name: duplicate node "eu-a-1"; names must be unique.',
    },
    {
      title: "an unknown action",
      from: "drain: {",
      to: "drian: {",
      at: "drian",
      found:
        'timeline[1]: unknown action "drian", expected one of put-workload, scale, delete-workload, delete-replica, change-template, set-rollout, set-owners, set-secret, delete-tenant, delete-quota, lift-finalizers, set-quota, put-priority-class, put-policy-revision, activate, override, extend-override, release-override, grant-budget, extend-budget, withdraw-budget, cordon, uncordon, drain, undrain, delete-node, restore-node, add-node. Did you mean "drain"?',
    },
  ])("points at $title", ({ from, to, also, at, found }) => {
    let text = SMALL.replace(from, to);
    if (also) text = text.replace(also[0]!, also[1]!);
    expect(mistakesOf(text)).toEqual([`w.yaml:${placeOf(text, at)}: Invalid file. ${found}`]);
  });

  it("reports all mistakes of a file at once, in its order", () => {
    const text = SMALL.replace("heal: 5m", "heal: soon")
      .replace("cpu: 8,", "cpu: eight,")
      .replace("by: zone", "by: 7");
    expect(mistakesOf(text).map((line) => line.split(": ")[0])).toEqual(
      ["eight", "7, max", "soon"].map((piece) => `w.yaml:${placeOf(text, piece)}`),
    );
  });

  it("points at the place where YAML ends", () => {
    const text = `${SMALL}\nheal: 6m\nx: [`;
    const [first, second] = mistakesOf(text);
    const place = placeOf(text, "heal: 6m");
    expect(first).toBe(`w.yaml:${place}: Invalid YAML. Map keys must be unique.`);
    expect(second).toMatch(/^w\.yaml:\d+:\d+: /);
  });

  it("says what a file needs that holds nothing", () => {
    expect(mistakesOf("")).toEqual([
      "w.yaml:1:1: Invalid file. found nothing, expected a mapping.",
    ]);
  });
});
