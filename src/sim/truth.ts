/**
 * The true state of the simulated world, for checkers: the durable state and the real processes.
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { ObjectKey } from "../core/model/ids.ts";
import { type Machine, NO_MACHINE } from "../core/model/node/machine.ts";
import { ObjectIndex } from "../core/observe/object-index.ts";
import type { View } from "../core/observe/view.ts";
import type { Owed } from "../core/runner/runner.ts";
import type { Believer, LiveProcess, PlaneState, Truth } from "./check/checker.ts";
import type { ClientProcess, Mind } from "./hosts/client-process.ts";
import { Damage } from "./hostile/damage.ts";
import type { Waiting } from "./hosts/plane-entrance.ts";
import type { NodeMachine } from "./hosts/node-machine.ts";
import type { PlaneProcess } from "./hosts/plane-process.ts";
import type { World } from "./world/world.ts";

/** Most checkers that ask for all clients want the waits of one: waits are listed when read. */
class ClientMind implements Believer {
  readonly name: string;
  readonly view: View;
  private readonly mind: Mind;

  constructor(name: string, view: View, mind: Mind) {
    this.name = name;
    this.view = view;
    this.mind = mind;
  }

  get owed(): readonly Owed[] {
    return this.mind.owed();
  }

  isTracking(key: ObjectKey): boolean {
    return this.mind.isTracking(key);
  }
}

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
      const { view, members } = component;
      // A group shares one view, but each of its members tracks its own keys.
      if (members === undefined) yield new ClientMind(name, view, component);
      else for (const member of members) yield new ClientMind(member.name ?? name, view, member);
    }
  }
}
