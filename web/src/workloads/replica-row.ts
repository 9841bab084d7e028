/**
 * What the page keeps of a replica: a workload may have a hundred thousand, each with its whole
 * template.
 */
import type { PendingCell } from "../../../src/api/views/view-rows.ts";
import type { LiveObject } from "../live/object-message.ts";
import type { Kept } from "../live/object-watch.ts";
import type { Chip } from "../parts/chip-filter.tsx";
import { stagePlace } from "../parts/stage-tone.ts";

interface ReplicaObject extends LiveObject {
  readonly spec: {
    readonly generation: number;
    readonly index: number;
    readonly probes?: { readonly ready?: { readonly http?: { readonly port?: string } } };
  };
  readonly status?: {
    readonly stage: string;
    readonly stageSince: string;
    readonly message: string;
    readonly incarnation: number;
    readonly failures: number;
    readonly lastEnd?: string;
    readonly node?: string;
    readonly address?: Address;
    readonly replacedSince?: string;
    readonly stopping?: { readonly reason: string };
  };
}

interface Address {
  readonly host: string;
  readonly ports: Readonly<Record<string, number>>;
}

export interface ShownPort {
  readonly name: string;
  /** host:number */
  readonly text: string;
  /** Left out: a browser cannot open it. */
  readonly href?: string;
}

export interface ReplicaRow extends LiveObject {
  readonly generation: number;
  readonly index: number;
  readonly stage: string;
  readonly sinceMs: number;
  /** "" without one. */
  readonly node: string;
  /** Where it can be reached, by port. */
  readonly ports: readonly ShownPort[];
  readonly incarnation: number;
  readonly failures: number;
  /** What its stage means, or how its last process ended. */
  readonly says: string;
  /** Why it was asked to stop; "" when it was not. */
  readonly stopping: string;
  /** Another one has its index. */
  readonly isReplaced: boolean;
}

export const KEPT_OF_REPLICA: Kept<ReplicaRow> = { name: "row", of: keepRow };

function keepRow(object: LiveObject): ReplicaRow {
  const { metadata, spec, status } = object as ReplicaObject;
  const { name, namespace = "", resourceVersion = "" } = metadata;
  const { stage = "", stageSince = "", message = "", lastEnd = "" } = status ?? {};
  const own = message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
  return {
    metadata: { name, namespace, resourceVersion },
    generation: spec.generation,
    index: spec.index,
    stage,
    sinceMs: Date.parse(stageSince),
    node: status?.node ?? "",
    ports: portsOf(status?.address, spec.probes?.ready?.http),
    incarnation: status?.incarnation ?? 0,
    failures: status?.failures ?? 0,
    says: lastEnd === "" || own.includes(lastEnd) ? own : `${own} Previous end: ${lastEnd}`,
    stopping: status?.stopping?.reason ?? "",
    isReplaced: status?.replacedSince !== undefined,
  };
}

/** A port is taken for HTTP when the probe asks it by HTTP, or when it is named so. */
function portsOf(
  address: Address | undefined,
  probe: { readonly port?: string } | undefined,
): readonly ShownPort[] {
  if (address === undefined) return [];
  const { host, ports } = address;
  const shown = host.includes(":") ? `[${host}]` : host;
  const all = Object.entries(ports);
  const probed = probe && (probe.port ?? all[0]?.[0]);
  return all.map(([name, number]) => {
    const text = `${shown}:${number}`;
    const scheme = /^https?(?![a-z])/.exec(name)?.[0] ?? (name === probed ? "http" : undefined);
    return { name, text, ...(scheme === undefined ? {} : { href: `${scheme}://${text}/` }) };
  });
}

/** By index, the newest generation first: two replicas of an index stand together. */
export const byIndex = (rows: readonly ReplicaRow[]): readonly ReplicaRow[] =>
  rows.toSorted((a, b) => a.index - b.index || b.generation - a.generation);

export interface GenerationTally {
  readonly generation: number;
  readonly stages: Readonly<Record<string, number>>;
}

/**
 * The newest first. One that was replaced stands for no index and is not counted, as the plane
 * counts.
 */
export function tallyGenerations(rows: Iterable<ReplicaRow>): readonly GenerationTally[] {
  const tallies = new Map<number, Record<string, number>>();
  for (const { generation, stage, isReplaced } of rows) {
    if (isReplaced) continue;
    const stages = tallies.get(generation) ?? {};
    stages[stage] = (stages[stage] ?? 0) + 1;
    tallies.set(generation, stages);
  }
  return [...tallies]
    .map(([generation, stages]) => ({ generation, stages }))
    .toSorted((a, b) => b.generation - a.generation);
}

export function countStages(rows: Iterable<ReplicaRow>): readonly Chip[] {
  const counts = new Map<string, number>();
  for (const { stage } of rows) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => stagePlace(a.value) - stagePlace(b.value));
}

/** One of those that stand still for this reason; undefined when none of them exists yet. */
export function oneOf(
  { reason, by }: Pick<PendingCell, "reason" | "by">,
  rows: Iterable<ReplicaRow>,
): ReplicaRow | undefined {
  const stage = stageOf(reason, by);
  for (const row of rows) if (row.stage === stage) return row;
  return undefined;
}

/** The stage in which a wait leaves a replica. */
function stageOf(reason: PendingCell["reason"], by: string): string {
  if (reason === "failed" || reason === "restart-backoff") return "failed";
  if (reason === "node-silent") return "unknown";
  return reason === "waiting-for-node" || by.startsWith("place") ? "queued" : "admitted";
}
