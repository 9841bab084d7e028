/**
 * What an apply would do, for a person: placements, preemptions, rollouts, waits with their
 * reasons, requests for nodes, and quota.
 */
import { AMOUNT_NAMES, type AmountName, type Amounts } from "../../core/model/amounts.ts";
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import { countText } from "../../core/model/text/count-text.ts";
import type { PlaneFleet } from "../../fleet/fleet.ts";
import { formatDuration } from "../../quantity/duration.ts";
import { formatCpu, formatDevices, formatMemory } from "../../quantity/quantity.ts";
import type { Rehearsal } from "../../rehearsal/rehearse.ts";
import type { Bound, Stopped, Waiting } from "../../rehearsal/rehearsal-account.ts";
import { columns } from "../client/columns.ts";

export interface Simulated extends Rehearsal {
  readonly objects: readonly { readonly object: string; readonly change: string }[];
  readonly fleet: PlaneFleet;
  readonly startMs: number;
  readonly watchMs: number;
}

/** A row names this many nodes; the rest are counted. */
const NODES_SHOWN = 4;

export function rehearsalText(simulated: Simulated): string {
  const { objects, fleet, watchMs } = simulated;
  const head = objects.map(({ object, change }) => `${object} ${WOULD[change] ?? change}`);
  const tables = [
    placedTable(simulated),
    preemptedTable(simulated),
    rolledTable(simulated),
    otherStops(simulated),
    waitingTable(simulated),
    requestedTable(simulated),
    quotaTable(simulated),
  ].filter((table) => table !== "");
  const nothing =
    tables.length === 0 ? ["No replica would be placed, stopped or kept waiting."] : [];
  const took = `Simulated ${formatDuration(watchMs)} on ${fleet.source}. Nothing was changed.`;
  const parts = [`${head.join("\n")}\n`, ...tables, ...nothing, took, boundary(simulated)];
  return `${parts.join("\n")}\n`;
}

const WOULD: Readonly<Record<string, string>> = {
  created: "would be created",
  changed: "would be changed",
};

const boundary = ({ startMs }: Simulated): string =>
  `It assumes that a process serves ${formatDuration(startMs)} after it is bound, that a process takes all of its grace to stop, and that no node, other process or person changes anything.`;

function placedTable({ placed }: Simulated): string {
  const rows = grouped(placed, ({ workload }) => workload).map((all) => [
    nameOf(all[0].workload),
    String(all.length),
    nodesOf(all),
    lastOf(all.map(({ waitedMs }) => waitedMs)),
    lastOf(all.map(({ servesMs }) => servesMs)),
  ]);
  const heads = ["WORKLOAD", "REPLICAS", "ON", "LONGEST WAIT", "ALL SERVE AFTER"];
  return titled("Placed:", heads, rows);
}

function preemptedTable({ stopped, waiting, placed }: Simulated): string {
  const rows = stopped
    .filter(({ reason }) => reason === "preempted")
    .map((each) => [
      nameOf(each.replica),
      each.priorityClass === "" ? "(none)" : each.priorityClass,
      each.node,
      each.by === undefined ? "-" : nameOf(each.by),
      laterOf(each, { waiting, placed }),
    ]);
  return titled("Preempted:", ["REPLICA", "CLASS", "ON", "FOR", "THEN"], rows);
}

function rolledTable({ rolled, stopped }: Simulated): string {
  const rows = rolled.map(({ workload, state, atMs }) => {
    const replaced = stopped.filter(
      (each) => each.reason === "rollout" && each.workload === workload,
    );
    const last = Math.max(0, ...replaced.map((each) => each.atMs));
    return [
      nameOf(workload),
      String(replaced.length),
      nodesOf(replaced),
      replaced.length === 0 ? "-" : atText(last),
      `${state} after ${atText(atMs)}`,
    ];
  });
  const heads = ["WORKLOAD", "REPLACED", "ON", "LAST ONE AFTER", "ROLLOUT"];
  return titled("Rollouts:", heads, rows);
}

function otherStops({ stopped }: Simulated): string {
  const rows = stopped
    .filter(({ reason }) => reason !== "preempted" && reason !== "rollout")
    .map(({ replica, node, atMs, reason }) => [nameOf(replica), node, atText(atMs), reason]);
  return titled("Stopped:", ["REPLICA", "ON", "AFTER", "REASON"], rows);
}

/** What becomes of the index of a replica that was stopped. */
function laterOf(
  { replica }: Stopped,
  { waiting, placed }: Pick<Rehearsal, "waiting" | "placed">,
): string {
  const next = placed.findLast((each) => each.replica === replica);
  if (next !== undefined) return `${next.node} after ${atText(next.boundMs)}`;
  return waiting.some((each) => each.replica === replica) ? "waits" : "-";
}

function waitingTable({ waiting, watchMs }: Simulated): string {
  const rows = grouped(waiting, (each) => `${each.workload} ${reasonText(each)}`).map((all) => {
    const [first] = all;
    const waitedMs = watchMs - first.sinceMs;
    return [nameOf(first.workload), String(all.length), reasonText(first), longText(waitedMs)];
  });
  return titled("Waits:", ["WORKLOAD", "REPLICAS", "REASON", "FOR HOW LONG"], rows);
}

/** What the simulation does not know of may end it at any time; nothing that it knows of does. */
const longText = (ms: number): string => `not known; more than ${formatDuration(ms)}`;

function reasonText(waiting: Waiting): string {
  if (waiting.reason === undefined) return "not known";
  const { reason, because } = waiting;
  const rules = Object.entries(because?.rejected ?? {}).map(
    ([rule, { count }]) => `${rule} rejected ${countText(count, "node")}`,
  );
  if (rules.length > 0) return `${reason}: ${rules.join(", ")}`;
  return because === undefined ? reason : `${reason}: ${because.summary}`;
}

function requestedTable({ requested }: Simulated): string {
  const counts = new Map<string, number>();
  for (const { pool } of requested) counts.set(pool, (counts.get(pool) ?? 0) + 1);
  const rows = [...counts].map(([pool, count]) => [pool, String(count)]);
  return titled("Requested from node pools:", ["POOL", "NODES"], rows);
}

function quotaTable({ quotas }: Simulated): string {
  const rows = quotas.map(({ tenant, before, after, limit }) => [
    tenant,
    ...AMOUNT_NAMES.map((name) => {
      const move = `${amountText(name, before[name])} → ${amountText(name, after[name])}`;
      return limit === undefined ? move : `${move} of ${amountText(name, limit[name])}`;
    }),
  ]);
  return titled("Quota:", ["TENANT", "CPU", "MEMORY", "DEVICES"], rows);
}

function amountText(name: AmountName, amount: number): string {
  if (name === "cpuMillis") return String(formatCpu(amount));
  return String(name === "memoryMiB" ? formatMemory(amount) : formatDevices(amount));
}

const titled = (
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string => (rows.length === 0 ? "" : `${title}\n${columns([heads, ...rows])}`);

/** In the order of their names; no group is empty. */
function grouped<T>(
  all: readonly T[],
  nameOfGroup: (each: T) => string,
): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const each of all) {
    const name = nameOfGroup(each);
    const others = groups.get(name);
    if (others === undefined) groups.set(name, [each]);
    else others.push(each);
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

function nodesOf(all: readonly Pick<Bound, "node">[]): string {
  const counts = new Map<string, number>();
  for (const { node } of all) counts.set(node, (counts.get(node) ?? 0) + 1);
  const nodes = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shown = nodes
    .slice(0, NODES_SHOWN)
    .map(([node, count]) => (count === 1 ? node : `${node} ×${count}`));
  const more = nodes.length - NODES_SHOWN;
  return [...shown, ...(more > 0 ? [countText(more, "more node")] : [])].join(", ");
}

const atText = (ms: number): string =>
  ms === 0 ? "0s" : formatDuration(Math.ceil(ms / 1000) * 1000);

function lastOf(times: readonly (number | undefined)[]): string {
  let last = 0;
  for (const ms of times) {
    if (ms === undefined) return "not known";
    last = Math.max(last, ms);
  }
  return atText(last);
}

function nameOf(key: ObjectKey): string {
  const { namespace, name } = parseKey(key);
  return namespace === "" ? name : `${namespace}/${name}`;
}

/** For programs: all of it, with names as people know them. */
export function shownRehearsal(simulated: Simulated): unknown {
  const { objects, fleet, startMs, watchMs, placed, stopped, waiting, requested, rolled } =
    simulated;
  return {
    revision: fleet.revision,
    watchMs,
    assumed: { startMs },
    objects,
    placed: placed.map(named),
    stopped: stopped.map(named),
    waiting: waiting.map(({ because, ...each }) => ({
      ...named(each),
      summary: because?.summary,
      rejected: because?.rejected,
    })),
    requested,
    rollouts: rolled.map(({ workload, ...each }) => ({ workload: nameOf(workload), ...each })),
    quotas: simulated.quotas.map(({ tenant, before, after, limit }) => ({
      tenant,
      before: amounts(before),
      after: amounts(after),
      limit: limit && amounts(limit),
    })),
  };
}

type Named = { readonly replica: ObjectKey; readonly workload: ObjectKey; readonly by?: ObjectKey };

const named = <T extends Named>(each: T) => ({
  ...each,
  replica: nameOf(each.replica),
  workload: nameOf(each.workload),
  ...(each.by === undefined ? {} : { by: nameOf(each.by) }),
});

const amounts = ({ cpuMillis, memoryMiB, deviceMillis }: Amounts) => ({
  cpu: formatCpu(cpuMillis),
  memory: formatMemory(memoryMiB),
  devices: formatDevices(deviceMillis),
});
