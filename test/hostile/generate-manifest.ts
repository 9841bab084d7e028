/** Objects of every kind: one that the server takes, changed in a few places, or one drawn from the kind's published schema. */
import type { Draw } from "./draw.ts";
import { generateFromSchema, type Schema } from "./generate-from-schema.ts";
import { mutateValue } from "./mutate-value.ts";
import { encodedWord, type Json, type JsonObject, nastyName, OWN_TENANTS } from "./nasty-values.ts";

export interface KindUnderAttack {
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
}

export interface PublishedKinds {
  readonly kinds: readonly KindUnderAttack[];
  readonly components: Readonly<Record<string, Schema>>;
}

export interface Manifest {
  readonly of: KindUnderAttack;
  readonly namespace: string;
  readonly name: string;
  readonly value: Json;
}

/** Each is taken as it is: mutations of it get past the first checks and reach what is behind them. */
const SPECS: Readonly<Record<string, readonly JsonObject[]>> = {
  Tenant: [{ displayName: "Mallory" }],
  Quota: [{ limit: { cpu: 1, memory: "256Mi" } }],
  PriorityClass: [{ value: 1 }],
  Region: [{ zones: ["far-a", "far-b"] }],
  Policy: [{ active: "x0" }],
  PolicyRevision: [
    {
      scoring: "spread-out",
      spread: [{ by: "zone", maxSkew: 1 }],
      preemption: { never: ["batch"], apart: [["base", "web"]] },
      retries: { attempts: 6, backoffFirst: "100ms", backoffMost: "10s" },
    },
  ],
  Slo: [{ indicator: "bind-latency", threshold: "2s", objective: "99.9%", window: "24h" }],
  Override: [
    {
      action: "avoid-zone",
      target: { region: "far", zone: "far-a" },
      reason: "shaky power",
      ttl: "30m",
    },
  ],
  RecoveryBudget: [{ region: "far", cpu: "500m", memory: "256Mi", ttl: "30m", reason: "a test" }],
  Autoscaler: [{ workload: "x0", min: 1, max: 6, target: { requests: 50 } }],
  NodePool: [
    {
      region: "far",
      zone: "far-a",
      capacity: { cpu: 2, memory: "1Gi" },
      provisioner: "nowhere",
      maxNodes: 4,
      pace: { nodes: 2, period: "30s" },
      pendingFor: "5s",
      idleAfter: "1m",
    },
  ],
  Node: [{ region: "far", zone: "far-a", capacity: { cpu: 1, memory: "1Gi" } }],
  Workload: [
    {
      replicas: 1,
      resources: { cpu: "10m", memory: "16Mi" },
      run: { command: ["sleep", "60"], env: { A: "b" } },
    },
    {
      type: "batch",
      replicas: 2,
      resources: { cpu: "10m", memory: "16Mi" },
      run: { command: ["true"] },
    },
    {
      replicas: 2,
      rollout: {
        maxSurge: 1,
        maxUnavailable: 0,
        deadline: "3m",
        steps: [{ replicas: 1, pause: "1m" }],
      },
      resources: { cpu: "10m", memory: "16Mi" },
      run: { command: ["sleep", "60"], ports: ["http"] },
      probes: { ready: { http: { port: "http", path: "/" } } },
    },
  ],
};

/** Few, so that most of what is drawn meets an object that is there. */
const NAMES = 6;

/** One of each, under the names that are drawn most: what patches and sequences begin with. */
export function rightManifests({ kinds }: PublishedKinds): readonly Manifest[] {
  // What others name comes before them.
  const first = ["Region", "Tenant", "PolicyRevision", "Workload"];
  const ordered = kinds.toSorted((a, b) => first.indexOf(b.kind) - first.indexOf(a.kind));
  return ordered.flatMap((of) =>
    (SPECS[of.kind] ?? []).flatMap((spec, at): Manifest[] => {
      const [namespace] = of.isNamespaced ? OWN_TENANTS : [""];
      const name = of.kind === "Quota" ? "default" : `x${at}`;
      const metadata = { name, ...(namespace === "" ? {} : { namespace }) };
      return [
        {
          of,
          namespace,
          name,
          value: { apiVersion: "berth.dev/v1", kind: of.kind, metadata, spec },
        },
      ];
    }),
  );
}

export function generateManifest(draw: Draw, published: PublishedKinds): Manifest {
  const of = draw.pick(published.kinds);
  const namespace = of.isNamespaced ? draw.pick(OWN_TENANTS) : "";
  const name = draw.chance(85) ? `x${draw.below(NAMES)}` : nastyName(draw);
  const right = rightManifest(draw, published, { of, namespace, name });
  const changes = draw.chance(20) ? 0 : draw.size(8);
  return { of, namespace, name, value: mutateValue(draw, right, changes) };
}

function rightManifest(
  draw: Draw,
  { components }: PublishedKinds,
  { of, namespace, name }: Omit<Manifest, "value">,
): JsonObject {
  const specs = SPECS[of.kind];
  const schema = Object.entries(components).find(([key]) => key.endsWith(`.${of.kind}`))?.[1];
  const whole: JsonObject =
    schema !== undefined && (specs === undefined || draw.chance(30))
      ? (generateFromSchema(draw, schema, components) as JsonObject)
      : { apiVersion: "berth.dev/v1", kind: of.kind, spec: draw.pick(specs ?? [{}]) };
  const metadata = {
    ...(draw.chance(20) ? (whole["metadata"] as JsonObject | undefined) : {}),
    name,
    ...(namespace === "" ? {} : { namespace }),
    ...(draw.chance(30) ? { labels: { app: "x" }, annotations: { note: "y" } } : {}),
  };
  return { ...whole, metadata };
}

/** What the server publishes about itself: its kinds, and their schemas. */
export function readPublished(discovery: unknown, openApi: unknown): PublishedKinds {
  const { resources } = discovery as {
    readonly resources: readonly {
      readonly name: string;
      readonly kind: string;
      readonly namespaced: boolean;
    }[];
  };
  const { components } = openApi as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  const kinds = resources
    .filter(({ name }) => !name.includes("/"))
    .map(({ name, kind, namespaced }) => ({ kind, plural: name, isNamespaced: namespaced }));
  return { kinds, components: components.schemas };
}

export const collectionPath = ({ of, namespace }: Pick<Manifest, "of" | "namespace">): string =>
  `/apis/berth.dev/v1${of.isNamespaced && namespace !== "" ? `/namespaces/${encodedWord(namespace)}` : ""}/${of.plural}`;

export const objectPath = (manifest: Manifest): string =>
  `${collectionPath(manifest)}/${encodedWord(manifest.name)}`;
