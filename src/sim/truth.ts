/**
 * The true state of the simulated world, for checkers: the durable state and the real processes.
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { ObjectKey } from "../core/model/ids.ts";
import { type Machine, NO_MACHINE } from "../core/model/node/machine.ts";
import { ObjectIndex } from "../core/observe/object-index.ts";
import type { Believer, LiveProcess, PlaneState, Truth } from "./check/checker.ts";
import type { ClientProcess } from "./hosts/client-process.ts";
import { Damage } from "./hostile/damage.ts";
import type { Waiting } from "./hosts/plane-entrance.ts";
import type { NodeMachine } from "./hosts/node-machine.ts";
import type { PlaneProcess } from "./hosts/plane-process.ts";
import type { World } from "./world/world.ts";

export class SimTruth implements Truth {
  readonly world: World;
  readonly objects = new ObjectIndex();
  readonly commits: readonly Commit[];
  readonly nodes = new Map<string, NodeMachine>();
  readonly everyClient: ClientProcess[] = [];
  readonly everyPlane: PlaneProcess[] = [];
  readonly damage: Damage | undefined;
  /** What ran when the log went on from a backup that does not know it. */
  readonly forgotten = new Set<LiveProcess>();
  entrance: Iterable<Waiting> | undefined;
  nowMs = 0;

  constructor(world: World, commits: readonly Commit[]) {
    this.world = world;
    this.commits = commits;
    this.damage = world.attacks && new Damage(world.attacks);
  }

  *processes(): Iterable<LiveProcess> {
    for (const node of this.nodes.values()) {
      if (node.state === "up" && !this.isLying(node.name)) yield* this.known(node);
    }
  }

  processesOn(name: string): Iterable<LiveProcess> {
    const node = this.nodes.get(name);
    return node?.state === "up" && !this.isLying(name) ? this.known(node) : [];
  }

  private known(node: NodeMachine): Iterable<LiveProcess> {
    const { forgotten } = this;
    if (forgotten.size === 0) return node.all();
    return node.all().filter((process) => !forgotten.has(process));
  }

  isNodeUp(node: string): boolean {
    return this.nodes.get(node)?.state === "up";
  }

  /** The processes on a machine with a lying agent are unknown; no rule covers them. */
  isLying(node: string): boolean {
    return this.damage?.nodes.has(node) === true;
  }

  isOwnDamage(rule: string, key: ObjectKey | undefined): boolean {
    return this.damage?.excuses(rule, key) ?? false;
  }

  machineOf(node: string): Machine {
    return this.nodes.get(node)?.machine ?? NO_MACHINE;
  }

  leaseSentMs(node: string): number | undefined {
    return this.nodes.get(node)?.leaseSentMs;
  }

  *planes(): Iterable<PlaneState> {
    for (const { name, component, hosted } of this.everyPlane) {
      if (component === undefined || hosted.isPaused) continue;
      yield {
        name,
        isLeading: component.isLeading,
        isWaiting: !component.isLeading && hosted.standing.followsAfter === undefined,
        epoch: component.epoch,
        ledger: component.ledger,
      };
    }
  }

  *clients(): Iterable<Believer> {
    for (const { name, component } of this.everyClient) {
      if (component === undefined) continue;
      for (const member of component.members ?? [component]) {
        yield {
          // A group shares one view, but each of its members tracks its own keys.
          name: component.members === undefined ? name : (member.name ?? name),
          view: component.view,
          owed: member.owed(),
          isTracking: (key) => member.isTracking(key),
        };
      }
    }
  }
}
