/** The node that would have to be added: as large as what is asked for, and nothing runs on it. */
import { nodeKey } from "../model/ids.ts";
import type { Ask, DevicePool, Node } from "../model/objects.ts";

export interface Location {
  readonly region: string;
  readonly zone: string;
}

/** The places there are and those that the workload names, as far as it allows them. */
export function placesOf({ regions, zones }: Ask, nodes: readonly Node[]): readonly Location[] {
  const known = new Map<string, Location>();
  for (const { spec } of nodes) {
    if (regions.length > 0 && !regions.includes(spec.region)) continue;
    if (zones.length > 0 && !zones.includes(spec.zone)) continue;
    known.set(`${spec.region} ${spec.zone}`, { region: spec.region, zone: spec.zone });
  }
  if (known.size === 0) {
    return [{ region: regions[0] ?? "a-region", zone: zones[0] ?? "a-zone" }];
  }
  return [...known.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place);
}

const NEW_NODE = "(a new node)";

/** The first is called as a single one is. */
export const newNodeName = (at: number): string => (at === 0 ? NEW_NODE : `(new node ${at + 1})`);

export function newNode(ask: Ask, { region, zone }: Location, name = NEW_NODE): Node {
  const wanted = (ask.nodeExpressions ?? []).flatMap(({ key, operator, values }) =>
    operator === "in" || operator === "exists" ? [[key, values[0] ?? "true"] as const] : [],
  );
  const labels = { ...Object.fromEntries(wanted), ...ask.nodeSelector };
  return {
    kind: "Node",
    key: nodeKey(name),
    meta: {
      namespace: "",
      name,
      uid: "" as Node["meta"]["uid"],
      generation: 1,
      revision: 0,
      createdMs: 0,
      labels,
      finalizers: [],
      deletingMs: undefined,
    },
    spec: {
      region,
      zone,
      capacity: { ...ask.amounts, deviceMillis: (ask.device?.count ?? 0) * 1000 },
      pools: poolsOf(ask),
      taints: [],
      cordons: [],
      draining: false,
    },
    status: { health: "ready", healthSinceMs: 0, session: 1, evidence: undefined },
  };
}

function poolsOf({ device }: Ask): readonly DevicePool[] {
  if (device === undefined) return [];
  const ids = Array.from({ length: device.count }, (_, at) => `new-${at}`);
  return [{ class: device.class, model: device.models[0] ?? "", ids }];
}
