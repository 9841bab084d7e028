/**
 * Makes a violating run small: fewer faults, then a smaller world, as long as the *same* rule is
 * violated. Another rule's violation is another story and does not count.
 */
import { ddmin, type StillDoes } from "./ddmin.ts";
import { isAimed, namesInWorld } from "../faults/fault-target.ts";
import type { Fault } from "../faults/fault.ts";
import {
  withAttacks,
  withNodes,
  withoutIdlers,
  withPlanes,
  withPeople,
  withPools,
  withReplicas,
  withSchedulers,
  withTimeline,
  withWorkloads,
} from "./shrink-world.ts";
import type { World } from "../world/world.ts";

/** A run, as far as shrinking is concerned. The seed stays: it only moves latencies. */
export interface Case {
  readonly world: World;
  readonly faults: readonly Fault[];
}

/** Runs a case: the rule it violates and the faults that fired, or undefined when it is clean. */
export type Probe = (
  tried: Case,
) => { readonly rule: string; readonly fired: readonly Fault[] } | undefined;

export interface ShrinkProgress {
  readonly runs: number;
  readonly maxRuns: number;
  readonly smallest: Case;
}

export interface ShrinkOptions {
  readonly start: Case;
  readonly rule: string;
  readonly probe: Probe;
  readonly maxRuns?: number;
  readonly onProgress?: (progress: ShrinkProgress) => void;
}

export interface Shrunk {
  readonly smallest: Case;
  readonly runs: number;
  /**
   * False when not even the start violates the rule: then the listed faults are not the whole
   * cause.
   */
  readonly reproduced: boolean;
}

/**
 * ddmin needs about n² runs at worst and n·log n as a rule. A swarm run fires some 50 faults and
 * its world has some 30 parts: 500 runs see nearly all of them to the end, and at the tens of
 * milliseconds a run takes the person waits seconds, not minutes.
 */
const MAX_RUNS = 500;

export function shrink(options: ShrinkOptions): Shrunk {
  const search = new Search(options);
  if (!search.accept(options.start)) {
    return { smallest: options.start, runs: search.runs, reproduced: false };
  }
  let before: Case;
  do {
    before = search.smallest;
    shrinkFaults(search);
    shrinkWorld(search);
    // A smaller world may need fewer faults still, so the rounds go on until one changes nothing.
  } while (search.smallest !== before && !search.isOver);
  return { smallest: search.smallest, runs: search.runs, reproduced: true };
}

/** Keeps the smallest case so far and counts the runs. */
class Search {
  readonly #options: ShrinkOptions;
  readonly #maxRuns: number;
  smallest: Case;
  runs = 0;

  constructor(options: ShrinkOptions) {
    this.#options = options;
    this.#maxRuns = options.maxRuns ?? MAX_RUNS;
    this.smallest = options.start;
  }

  get isOver(): boolean {
    return this.runs >= this.#maxRuns;
  }

  /**
   * Makes `tried` the smallest case when it violates the same rule; undefined when no runs are
   * left.
   */
  accept(tried: Case): boolean | undefined {
    if (this.isOver) return undefined;
    this.runs++;
    const names = namesInWorld(tried.world);
    const aimed = { ...tried, faults: tried.faults.filter((fault) => isAimed(fault, names)) };
    const outcome = this.#options.probe(aimed);
    const violates = outcome?.rule === this.#options.rule;
    // A fault that found nothing to hit is no part of what happened.
    if (violates) this.smallest = { ...aimed, faults: fired(aimed.faults, outcome.fired) };
    this.#options.onProgress?.({
      runs: this.runs,
      maxRuns: this.#maxRuns,
      smallest: this.smallest,
    });
    return violates;
  }

  acceptWorld(world: World): boolean | undefined {
    return this.accept({ world, faults: this.smallest.faults });
  }
}

function fired(faults: readonly Fault[], those: readonly Fault[]): readonly Fault[] {
  const texts = new Set(those.map(textOf));
  return faults.filter((fault) => texts.has(textOf(fault)));
}

/** Field by field, in one order: the same fault may have been put together in another. */
function textOf(fault: Fault): string {
  const entries = Object.entries(fault).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(entries);
}

function shrinkFaults(search: Search): void {
  ddmin(search.smallest.faults, (faults) =>
    search.accept({ world: search.smallest.world, faults }),
  );
}

function shrinkWorld(search: Search): void {
  const { world } = search.smallest;
  const parts = <T>(
    items: readonly T[],
    cut: (world: World, kept: readonly T[]) => World,
  ): void => {
    const stillDoes: StillDoes<T> = (kept) => search.acceptWorld(cut(search.smallest.world, kept));
    ddmin(items, stillDoes);
  };
  if (world.people !== undefined) parts(world.people, withPeople);
  if (world.attacks !== undefined) parts(world.attacks, withAttacks);
  parts(world.timeline, withTimeline);
  parts(world.workloads, withWorkloads);
  parts(world.nodes, withNodes);
  if (world.nodePools !== undefined) parts(world.nodePools, withPools);
  shrinkReplicas(search);
  shrinkSchedulers(search);
  shrinkPlanes(search);
  const tidy = withoutIdlers(search.smallest.world);
  const before = search.smallest.world;
  const isSmaller = tidy.tenants.length < before.tenants.length || zonesIn(tidy) < zonesIn(before);
  if (isSmaller) search.acceptWorld(tidy);
}

/** Halving first: a workload of sixteen that needs only two is there in three runs. */
function shrinkReplicas(search: Search): void {
  for (const { tenant, name } of search.smallest.world.workloads) {
    for (let cut = Number.POSITIVE_INFINITY; cut > 0;) {
      const of = search.smallest.world.workloads.find(
        (one) => one.tenant === tenant && one.name === name,
      );
      if (!of || of.spec.replicas <= 1) break;
      cut = Math.min(cut, Math.floor(of.spec.replicas / 2));
      const fewer = withReplicas(search.smallest.world, of, of.spec.replicas - cut);
      if (search.acceptWorld(fewer) !== true) cut = Math.floor(cut / 2);
    }
  }
}

function shrinkSchedulers(search: Search): void {
  for (let count = 1; count < search.smallest.world.schedulers; count++) {
    if (search.acceptWorld(withSchedulers(search.smallest.world, count)) !== false) return;
  }
}

function shrinkPlanes(search: Search): void {
  for (let count = 1; count < (search.smallest.world.planes ?? 1); count++) {
    if (search.acceptWorld(withPlanes(search.smallest.world, count)) !== false) return;
  }
}

function zonesIn(world: World): number {
  return world.regions.reduce((sum, { zones }) => sum + zones.length + 1, 0);
}
