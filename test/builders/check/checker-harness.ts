/**
 * A small truth that a checker's own tests feed commits and processes to. Nothing here checks: a test writes
 * the history it wants, right or wrong, and reads what the checker found.
 */
import type { CommandKind } from "../../../src/core/protocol/command.ts";
import type { Change, Commit } from "../../../src/core/protocol/commit-record.ts";
import type { Actor, Role } from "../../../src/core/model/actor.ts";
import type { Evidence } from "../../../src/core/model/evidence.ts";
import { type Epoch, nodeKey, type ObjectKey, operationId } from "../../../src/core/model/ids.ts";
import { type Machine, NO_MACHINE } from "../../../src/core/model/node/machine.ts";
import type { AnyObject } from "../../../src/core/model/objects.ts";
import { ObjectIndex } from "../../../src/core/observe/object-index.ts";
import type { World } from "../../../src/sim/world/world.ts";
import type {
  Believer,
  Checker,
  LiveProcess,
  PlaneState,
  Report,
  Truth,
} from "../../../src/sim/check/checker.ts";
import { aWorld } from "./fixtures.ts";

export interface Deed {
  readonly command?: CommandKind | "lead";
  readonly role?: Role;
  /** Takes the place of the role. */
  readonly actor?: Actor;
  readonly operation?: string;
  readonly evidence?: Evidence;
  readonly epoch?: Epoch;
  readonly revision?: number;
  readonly put?: readonly AnyObject[];
  readonly remove?: readonly ObjectKey[];
  /** Takes the place of the changes made from `put` and `remove`. */
  readonly changes?: readonly Change[];
}

/** One checker, one truth, and everything the checker found, as `RULE message`. */
export class CheckerHarness implements Truth {
  readonly found: string[] = [];
  readonly objects = new ObjectIndex();
  readonly commits: Commit[] = [];
  readonly world: World;
  readonly checker: Checker;
  readonly running: LiveProcess[] = [];
  readonly nodesDown = new Set<string>();
  readonly machines = new Map<string, Machine>();
  readonly leasesSentMs = new Map<string, number>();
  everyClient: Believer[] = [];
  everyPlane: PlaneState[] = [];
  nowMs = 0;

  constructor(checker: Checker, world: Partial<World> = {}) {
    this.checker = checker;
    this.world = aWorld(world);
  }

  readonly report: Report = (rule, message) => {
    this.found.push(`${rule} ${message}`);
  };

  processes(): Iterable<LiveProcess> {
    return this.running;
  }
  processesOn(node: string): Iterable<LiveProcess> {
    return this.running.filter((process) => process.node === node);
  }
  isNodeUp(node: string): boolean {
    return !this.nodesDown.has(node);
  }
  machineOf(node: string): Machine {
    const spec = this.objects.node(nodeKey(node))?.spec;
    // Unless a test says otherwise, the machine is what its Node object says.
    const declared = spec && {
      capacity: spec.capacity,
      deviceIds: spec.pools.flatMap(({ ids }) => ids),
      notes: [],
    };
    return this.machines.get(node) ?? declared ?? NO_MACHINE;
  }
  leaseSentMs(node: string): number | undefined {
    return this.leasesSentMs.get(node);
  }
  planes(): Iterable<PlaneState> {
    return this.everyPlane;
  }
  clients(): Iterable<Believer> {
    return this.everyClient;
  }

  commit(deed: Deed): Commit {
    const revision = deed.revision ?? (this.commits.at(-1)?.revision ?? 0) + 1;
    const actor: Actor = deed.actor ?? { role: deed.role ?? "user", name: "harness" };
    const commit: Commit = {
      revision,
      epoch: deed.epoch ?? 1,
      atMs: this.nowMs,
      operation: operationId(deed.operation ?? `operation-${revision}`),
      actor,
      command: deed.command ?? "put",
      basis: revision - 1,
      evidence: deed.evidence,
      changes: deed.changes ?? this.changesOf(deed, revision),
    };
    this.commits.push(commit);
    this.checker.beforeCommit?.(commit, this, this.report);
    for (const change of commit.changes) this.objects.fold(change);
    this.checker.afterCommit?.(commit, this, this.report);
    return commit;
  }

  start(process: LiveProcess): void {
    this.running.push(process);
    this.checker.processStarted?.(process, this, this.report);
  }

  end(process: LiveProcess): void {
    this.vanish(process);
    this.checker.processEnded?.(process, this, this.report);
  }

  /** The process stops running and nobody is told, as when its node freezes. */
  vanish(process: LiveProcess): void {
    this.running.splice(this.running.indexOf(process), 1);
  }

  sample(): void {
    this.checker.sampled?.(this, this.report);
  }

  finish(): void {
    this.checker.atEnd?.(this, this.report);
  }

  private changesOf({ put = [], remove = [] }: Deed, revision: number): Change[] {
    const written = put.map((object) => ({
      key: object.key,
      before: this.objects.get(object.key),
      after: { ...object, meta: { ...object.meta, revision } } as AnyObject,
    }));
    const removed = remove.map((key) => ({ key, before: this.objects.get(key), after: undefined }));
    return [...removed, ...written];
  }
}
