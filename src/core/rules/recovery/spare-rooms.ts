/**
 * The room that is kept for replicas a workload may lose: how much it needs, what of that which is
 * held is of use, and whether a node could give more. The controller that keeps it asks its view,
 * the authority the truth.
 */
import { roomOf } from "../../model/reservation.ts";
import { checkChosenDevices, chooseDevices } from "../feasibility/devices.ts";
import { firstMisfit, neighbourMisfit } from "../feasibility/feasibility.ts";
import type { Misfit } from "../feasibility/misfit.ts";
import { Neighbourhood } from "../feasibility/neighbourhood.ts";
import { equalAmounts } from "../../model/amounts.ts";
import { type ObjectKey, replicaKey, type Uid } from "../../model/ids.ts";
import type { Node, Replica, Reservation, Workload } from "../../model/objects.ts";
import { recoveryTarget } from "../../model/recovery.ts";
import { holdsNode } from "../../model/stage.ts";
import { isWanted } from "../../model/availability.ts";
import { leaving, useAfter, withoutHolds } from "../../observe/held-room.ts";
import { Neighbours, type Placed } from "../../observe/neighbours.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { isUp } from "../../observe/recovery-now.ts";
import { SpareSpread } from "./spare-spread.ts";
import { addToDevices, addToNode, type NodeUse } from "../../observe/usage.ts";

export const isSpare = ({ spec }: Reservation): boolean => spec.for === "recovery";

/** All that is held for this very workload, the oldest first. */
export function sparesOf(objects: ObjectIndex, { key, meta }: Workload): readonly Reservation[] {
  return objects
    .reservationsOf(key)
    .filter((held) => isSpare(held) && held.spec.ownerUid === meta.uid)
    .toSorted((a, b) => a.spec.incarnation - b.spec.incarnation);
}

export interface SpareNeed {
  /** A larger reserve is of no use. */
  readonly need: number;
  /** No more is made than this: only for those that hold quota, or did until they were lost. */
  readonly most: number;
}

export function spareNeed(objects: ObjectIndex, workload: Workload): SpareNeed {
  const regions = workload.spec.recovery?.regions ?? [];
  const target = recoveryTarget(workload);
  let there = 0;
  let elsewhere = workload.status.recovery?.under?.lost ?? 0;
  for (const replica of objects.replicasOf(workload.key).values()) {
    if (!isWanted(replica, workload)) continue;
    const { stage, node } = replica.status;
    const region = objects.nodeNamed(node ?? "")?.spec.region;
    if (isUp(replica) && region !== undefined && regions.includes(region)) there += 1;
    else if (stage === "queued" || holdsNode(stage)) elsewhere += 1;
  }
  const need = Math.max(0, target - there);
  return { need, most: Math.min(need, elsewhere) };
}

/**
 * Stands for whichever replica will need the room: of the newest template, in the regions of the
 * objective.
 */
function spareReplica({ meta, spec, status }: Workload): Replica {
  const { namespace: tenant, name: workload } = meta;
  const { templateGeneration: generation } = status;
  const { ask } = spec.template;
  const regions = spec.recovery?.regions ?? ask.regions;
  return {
    kind: "Replica",
    key: `${replicaKey({ tenant, workload, generation, index: 0 })}.spare` as ObjectKey,
    meta: { ...meta, name: `${workload}.spare`, uid: `${meta.uid}.spare` as Uid, finalizers: [] },
    spec: {
      workload,
      workloadUid: meta.uid,
      generation,
      index: 0,
      type: spec.type,
      template: { ...spec.template, ask: { ...ask, regions } },
    },
    status: {
      stage: "queued",
      stageSinceMs: 0,
      incarnation: 1,
      failures: 0,
      node: undefined,
      session: 0,
      deviceIds: [],
      stopping: undefined,
    },
  };
}

/**
 * Rooms as they are checked one after the other: each as if those before it were taken. The
 * workload's own reserve is left out of the nodes' use at first, so that it can be looked at like
 * the rest.
 */
export class SpareFit {
  readonly replica: Replica;
  private readonly objects: ObjectIndex;
  private readonly uses = new Map<string, NodeUse>();
  private readonly placed: Placed[] = [];
  private readonly added: Neighbours;
  private readonly neighbours: Neighbourhood;
  private readonly spread: SpareSpread;

  constructor(objects: ObjectIndex, workload: Workload) {
    this.objects = objects;
    this.replica = spareReplica(workload);
    this.spread = new SpareSpread(objects, this.replica);
    this.added = new Neighbours({
      node: (name) => objects.nodeNamed(name),
      placed: () => this.placed,
    });
    this.neighbours = new Neighbourhood(objects.neighbours, this.added);
  }

  /** The node's use without the spares of the workload that were not taken. */
  useOf(node: string): NodeUse {
    let use = this.uses.get(node);
    if (use === undefined) {
      const own = this.replica.spec;
      const held = withoutHolds(
        this.objects.useOf(node),
        (each) => isSpare(each) && each.spec.ownerUid === own.workloadUid,
      );
      use = { ...held, devices: new Map(held.devices) };
      this.uses.set(node, use);
    }
    return use;
  }

  /** What is there once those who leave have left and those for whom room is held have come. */
  useLater(node: string): NodeUse {
    const use = this.useOf(node);
    return useAfter(use, leaving(this.objects, node), undefined);
  }

  /** Why the node has no room for one more; undefined: it has, now and later. */
  misfit(node: Node, deviceIds?: readonly string[]): Misfit | undefined {
    const { ask } = this.replica.spec.template;
    const { name } = node.meta;
    const uses = [this.useOf(name), this.useLater(name)];
    for (const use of uses) {
      const misfit =
        firstMisfit({ node, use }, ask)?.misfit ??
        (deviceIds && checkChosenDevices({ node, use }, ask, deviceIds));
      if (misfit !== undefined) return misfit;
    }
    return neighbourMisfit(node, this.replica, this.neighbours) ?? this.spread.misfit(node);
  }

  /** Whether one more there would be too many in its place, for as long as others have so few. */
  isUneven(node: Node): boolean {
    return this.spread.misfit(node) !== undefined;
  }

  /** Devices that are free now and later; fewer than are asked for when there are not as many. */
  devicesOn(node: Node): readonly string[] {
    const later = this.useLater(node.meta.name);
    const devices = new Map(this.useOf(node.meta.name).devices);
    for (const [id, unit] of later.devices) {
      if (unit.usedMillis > (devices.get(id)?.usedMillis ?? 0)) devices.set(id, unit);
    }
    return chooseDevices({ node, use: { ...later, devices } }, this.replica.spec.template.ask);
  }

  take(node: string, deviceIds: readonly string[]): void {
    const use = this.useOf(node);
    addToNode(use, this.replica.spec.template.ask.amounts, 1);
    addToDevices(use, this.replica, deviceIds, 1);
    this.placed.push({ replica: this.replica, node });
    this.added.note(this.replica, node, 1);
    const at = this.objects.nodeNamed(node);
    if (at !== undefined) this.spread.note(at);
  }
}

export interface Spares {
  /** Those that would take a replica, the oldest first. */
  readonly useful: readonly Reservation[];
  /** Those on nodes that take nothing new, or that the template does not fit any more. */
  readonly useless: readonly Reservation[];
  /** With the useful ones taken. */
  readonly fit: SpareFit;
}

export function lookAtSpares(objects: ObjectIndex, workload: Workload): Spares {
  const fit = new SpareFit(objects, workload);
  const useful: Reservation[] = [];
  const useless: Reservation[] = [];
  let left = sparesOf(objects, workload);
  // One that is in a place too far ahead may be right once others are taken in emptier ones.
  for (let isNew = true; isNew;) {
    isNew = false;
    const uneven: Reservation[] = [];
    for (const held of left) {
      const verdict = takenBy(fit, objects, workload, held);
      if (verdict === "taken") useful.push(held);
      else (verdict === "uneven" ? uneven : useless).push(held);
      isNew ||= verdict === "taken";
    }
    left = uneven;
  }
  useless.push(...left);
  return {
    useful: useful.toSorted((a, b) => a.spec.incarnation - b.spec.incarnation),
    useless,
    fit,
  };
}

/** Takes it where it would take a replica. */
function takenBy(
  fit: SpareFit,
  objects: ObjectIndex,
  workload: Workload,
  { spec }: Reservation,
): "taken" | "uneven" | "useless" {
  const room = roomOf(spec);
  const { amounts } = spec;
  const node = objects.nodeNamed(room?.node ?? "");
  const isRight = equalAmounts(amounts, workload.spec.template.ask.amounts);
  if (room === undefined || node === undefined || !isRight) return "useless";
  const misfit = fit.misfit(node, room.deviceIds);
  if (misfit !== undefined) return misfit.code === "too-uneven" ? "uneven" : "useless";
  fit.take(room.node, room.deviceIds);
  return "taken";
}
