/**
 * One change that a person could make so that a replica finds a place, and what the world would be
 * with it.
 */
import { type AmountName, type Amounts, NOTHING } from "../../model/amounts.ts";
import type { DriverName } from "../../model/node/driver-name.ts";
import type {
  Ask,
  DeviceAsk,
  Node,
  NodeExpression,
  Replica,
  Template,
  Topology,
} from "../../model/objects.ts";
import type { Taint } from "../../model/node/taint.ts";
import { matchesPool } from "../feasibility/matches-pool.ts";
import type { NodeUse } from "../../observe/usage.ts";

export type QuotaBound =
  | { readonly of: "tenant"; readonly tenant: string }
  | { readonly of: "class"; readonly tenant: string; readonly priorityClass: string }
  | { readonly of: "region"; readonly tenant: string; readonly region: string };

export type Remedy =
  | {
      readonly kind: "free";
      readonly node: string;
      readonly zone: string;
      readonly name: AmountName;
      readonly amount: number;
    }
  | { readonly kind: "free-place"; readonly node: string }
  | { readonly kind: "free-devices"; readonly node: string; readonly count: number }
  | { readonly kind: "uncordon"; readonly node: string; readonly holder: string }
  | { readonly kind: "end-drain"; readonly node: string }
  /** Only its owner can; others wait for its end. */
  | {
      readonly kind: "release-override";
      readonly override: string;
      readonly owner: string;
      readonly untilMs: number;
    }
  /** Somebody has to grant at least this, out of the reserve. */
  | { readonly kind: "grant-budget"; readonly region: string; readonly amounts: Amounts }
  | { readonly kind: "tolerate"; readonly taint: Taint }
  | { readonly kind: "drop-label"; readonly label: string; readonly value: string }
  | { readonly kind: "drop-expression"; readonly expression: NodeExpression }
  | { readonly kind: "drop-fixed-port"; readonly name: string; readonly port: number }
  | { readonly kind: "drop-driver"; readonly driver: DriverName }
  | { readonly kind: "allow-region"; readonly region: string }
  | { readonly kind: "allow-zone"; readonly zone: string }
  | { readonly kind: "loosen-spread"; readonly by: Topology; readonly maxSkew: number }
  | { readonly kind: "raise-max-per-node"; readonly to: number }
  | {
      readonly kind: "raise-quota";
      readonly bound: QuotaBound;
      readonly name: AmountName;
      readonly amount: number;
    }
  /** Of a tenant that has none. */
  | { readonly kind: "create-quota"; readonly tenant: string; readonly amounts: Amounts }
  | {
      readonly kind: "add-node";
      readonly region: string;
      readonly zone: string;
      readonly amounts: Amounts;
      /** What kind of devices the amount is of. */
      readonly device?: DeviceAsk;
      /** How many nodes of this size; left out: one. */
      readonly count?: number;
    };

/** What the rules are asked about. */
export interface Placing {
  readonly node: Node;
  readonly use: NodeUse;
  readonly replica: Replica;
}

/** The same with the change made. Quota and new nodes are not part of it. */
export function withRemedy({ node, use, replica }: Placing, remedy: Remedy): Placing {
  switch (remedy.kind) {
    case "free":
      return { node, replica, use: { ...use, [remedy.name]: use[remedy.name] - remedy.amount } };
    case "free-place":
      return { node, replica, use: { ...use, replicas: use.replicas - 1 } };
    case "free-devices":
      return { node, replica, use: withoutDevices({ node, use, replica }, remedy.count) };
    case "uncordon": {
      const cordons = node.spec.cordons.filter(({ holder }) => holder !== remedy.holder);
      return { node: { ...node, spec: { ...node.spec, cordons } }, use, replica };
    }
    case "end-drain":
      return { node: { ...node, spec: { ...node.spec, draining: false } }, use, replica };
    case "raise-quota":
    case "create-quota":
    case "release-override":
    case "grant-budget":
    case "add-node":
      return { node, use, replica };
    case "loosen-spread":
    case "raise-max-per-node":
      return { node, use, replica: withTemplate(replica, looser(replica, remedy)) };
    default: {
      const ask = askWith(replica.spec.template.ask, remedy);
      return { node, use, replica: withTemplate(replica, { ask }) };
    }
  }
}

type OfAsk = Extract<
  Remedy,
  {
    kind:
      | "tolerate"
      | "drop-label"
      | "drop-expression"
      | "drop-fixed-port"
      | "drop-driver"
      | "allow-region"
      | "allow-zone";
  }
>;

function askWith(ask: Ask, remedy: OfAsk): Ask {
  switch (remedy.kind) {
    case "tolerate": {
      const { key, value, effect } = remedy.taint;
      return { ...ask, tolerations: [...ask.tolerations, { key, value, effect }] };
    }
    case "drop-label": {
      const { [remedy.label]: _, ...nodeSelector } = ask.nodeSelector;
      return { ...ask, nodeSelector };
    }
    case "drop-expression": {
      const nodeExpressions = (ask.nodeExpressions ?? []).filter(
        (each) => each !== remedy.expression,
      );
      return { ...ask, nodeExpressions };
    }
    case "drop-fixed-port": {
      const { [remedy.name]: _, ...fixedPorts } = ask.fixedPorts ?? {};
      return { ...ask, fixedPorts };
    }
    case "drop-driver": {
      const { driver: _, ...rest } = ask;
      return rest;
    }
    case "allow-region":
      return { ...ask, regions: [...ask.regions, remedy.region] };
    case "allow-zone":
      return { ...ask, zones: [...ask.zones, remedy.zone] };
  }
}

function looser(
  { spec }: Replica,
  remedy: Extract<Remedy, { kind: "loosen-spread" | "raise-max-per-node" }>,
): Partial<Template> {
  if (remedy.kind === "raise-max-per-node") return { maxPerNode: remedy.to };
  const spread = spec.template.spread.map((each) =>
    each.by === remedy.by ? { ...each, maxSkew: Math.max(each.maxSkew, remedy.maxSkew) } : each,
  );
  return { spread };
}

const withTemplate = (replica: Replica, part: Partial<Template>): Replica => ({
  ...replica,
  spec: { ...replica.spec, template: { ...replica.spec.template, ...part } },
});

/**
 * Those of the pools that would do, in the node's own order, are given back until there are enough.
 */
function withoutDevices({ node, use, replica }: Placing, count: number): NodeUse {
  const { device } = replica.spec.template.ask;
  const devices = new Map(use.devices);
  let freed = 0;
  let left = count;
  for (const pool of node.spec.pools) {
    if (device === undefined || !matchesPool(pool, device)) continue;
    for (const id of pool.ids) {
      const taken = devices.get(id)?.usedMillis ?? 0;
      if (left === 0 || taken === 0) continue;
      devices.delete(id);
      freed += taken;
      left -= 1;
    }
  }
  return { ...use, devices, deviceMillis: use.deviceMillis - freed };
}

/** In the order in which people would rather do them, all else being equal. */
const RANKS: Readonly<Record<Remedy["kind"], number>> = {
  uncordon: 0,
  "end-drain": 1,
  "release-override": 2,
  "grant-budget": 3,
  free: 4,
  "free-place": 5,
  "free-devices": 6,
  "create-quota": 7,
  "raise-quota": 8,
  "loosen-spread": 9,
  "raise-max-per-node": 10,
  tolerate: 11,
  "allow-zone": 12,
  "allow-region": 13,
  "drop-label": 14,
  "drop-expression": 15,
  "drop-fixed-port": 16,
  "drop-driver": 17,
  "add-node": 18,
};

/**
 * How much is changed, in thousandths of what the replica asks for; a change that is no amount
 * weighs as much as all of it.
 */
export function sizeOf(remedy: Remedy, asked: Amounts = NOTHING): number {
  if (remedy.kind !== "free" && remedy.kind !== "raise-quota") return 1000;
  const whole = Math.max(1, asked[remedy.name]);
  return Math.min(1000, Math.trunc((remedy.amount * 1000) / whole));
}

export const rankOf = ({ kind }: Remedy): number => RANKS[kind];
