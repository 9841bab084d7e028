/**
 * Which room to keep for a workload that may lose replicas, and which to give back. Looks at every
 * node of the regions that the objective names, with the rules that a bind will meet; spreads what
 * it keeps over zones and nodes, since what fails together is no reserve.
 */
import { roomOf } from "../../model/reservation.ts";
import type { SpareRoom } from "../../protocol/command.ts";
import type { Because } from "../../protocol/decision.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Node, Reservation, Workload } from "../../model/objects.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { marksOn } from "../../rules/override/partitioned.ts";
import { lookAtSpares, type SpareFit, spareNeed } from "../../rules/recovery/spare-rooms.ts";

export interface SparePlan {
  readonly rooms: readonly SpareRoom[];
  readonly drop: readonly ObjectKey[];
  /** How many it has once this is done, of how many it should have. */
  readonly covered: number;
  readonly wanted: number;
  /** Why no further node can give room; empty when none is wanted. */
  readonly rejected: NonNullable<Because["rejected"]>;
}

/** More are asked for at the next look: a command that one stale node spoils costs little. */
const ROOMS_PER_LOOK = 64;

export function planSpares(
  objects: ObjectIndex,
  workload: Workload,
  shunned: ReadonlySet<string>,
): SparePlan {
  const { need, most } = spareNeed(objects, workload);
  const { useful, useless, fit } = lookAtSpares(objects, workload);
  const surplus = [...useless, ...useful.slice(need)];
  const drop = surplus.filter((held) => !isPartitioned(objects, held)).map(({ key }) => key);
  const kept = useful.slice(0, need);
  const stuck = surplus.length - drop.length;
  const missing = Math.min(ROOMS_PER_LOOK, most - kept.length - stuck);
  const found =
    missing <= 0 ? NOTHING_FOUND : find(objects, { workload, fit, kept, shunned }, missing);
  const covered = kept.length + found.rooms.length;
  return { ...found, drop, covered, wanted: Math.max(most, kept.length) };
}

/** The reserve in a partitioned region stays, of use or not (DG1). */
const isPartitioned = (objects: ObjectIndex, { spec }: Reservation): boolean =>
  marksOn(objects, objects.nodeNamed(roomOf(spec)?.node ?? "")?.spec.region ?? "").length > 0;

const NOTHING_FOUND: Pick<SparePlan, "rooms" | "rejected"> = { rooms: [], rejected: {} };

interface Search {
  readonly workload: Workload;
  readonly fit: SpareFit;
  readonly kept: readonly Reservation[];
  readonly shunned: ReadonlySet<string>;
}

function find(
  objects: ObjectIndex,
  { workload, fit, kept, shunned }: Search,
  missing: number,
): Pick<SparePlan, "rooms" | "rejected"> {
  const rejected: Record<string, { count: number; example: string }> = {};
  const reject = (code: string, node: Node): void => {
    const known = rejected[code] ?? { count: 0, example: node.meta.name };
    rejected[code] = { ...known, count: known.count + 1 };
  };
  const turnedAway = (node: Node, deviceIds?: readonly string[]): boolean => {
    const misfit = fit.misfit(node, deviceIds);
    // Once others are taken in emptier places, it may be this one's turn.
    if (misfit === undefined || misfit.code === "too-uneven") return false;
    reject(misfit.code, node);
    return true;
  };
  const regions = workload.spec.recovery?.regions ?? [];
  const nodes = [...objects.all("Node").values()]
    .filter(({ meta, spec }) => regions.includes(spec.region) && !shunned.has(meta.name))
    .toSorted((a, b) => (a.meta.name < b.meta.name ? -1 : 1))
    .filter((node) => !turnedAway(node));
  const open = new Set(nodes);
  const uneven = new Set<Node>();
  const loads = new Loads(objects, kept);
  const rooms: SpareRoom[] = [];
  while (rooms.length < missing) {
    const node = loads.least(open);
    if (node === undefined) break;
    const deviceIds = fit.devicesOn(node);
    // Those taken before may have filled it, or keep others away from the whole zone.
    if (turnedAway(node, deviceIds)) {
      open.delete(node);
      continue;
    }
    if (fit.isUneven(node)) {
      open.delete(node);
      uneven.add(node);
      continue;
    }
    fit.take(node.meta.name, deviceIds);
    loads.add(node);
    rooms.push({ node: node.meta.name, deviceIds });
    for (const each of uneven) open.add(each);
    uneven.clear();
  }
  for (const node of uneven) reject("too-uneven", node);
  return { rooms, rejected: rooms.length === missing ? {} : rejected };
}

/** How much is kept for the workload in which zone and on which node. */
class Loads {
  private readonly counts = new Map<string, number>();

  constructor(objects: ObjectIndex, kept: readonly Reservation[]) {
    for (const { spec } of kept) {
      const node = objects.nodeNamed(roomOf(spec)?.node ?? "");
      if (node !== undefined) this.add(node);
    }
  }

  add({ meta, spec }: Node): void {
    for (const name of [`zone ${spec.region}/${spec.zone}`, meta.name]) {
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    }
  }

  /** In the emptiest zone the emptiest node; of equals the first that was named. */
  least(nodes: Iterable<Node>): Node | undefined {
    let best: Node | undefined;
    let bestLoad: readonly [number, number] = [0, 0];
    for (const node of nodes) {
      const { meta, spec } = node;
      const zone = this.counts.get(`zone ${spec.region}/${spec.zone}`) ?? 0;
      const load = [zone, this.counts.get(meta.name) ?? 0] as const;
      const isLess = load[0] < bestLoad[0] || (load[0] === bestLoad[0] && load[1] < bestLoad[1]);
      if (best !== undefined && !isLess) continue;
      best = node;
      bestLoad = load;
    }
    return best;
  }
}
