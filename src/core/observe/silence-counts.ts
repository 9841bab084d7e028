/**
 * Who is silent where, kept up to date: a node is looked at again when something about it changed
 * and when time makes it silent or lets it be back for long enough. Counted anew at each look,
 * thousands of nodes that fall silent together would be counted thousands of times.
 */
import type { Node, NodeSpec } from "../model/objects.ts";
import { JUST_BACK_MS, SUSPECT_AFTER_MS } from "../model/timing.ts";
import { SilencePicture } from "./correlated-silence.ts";
import { DeadlineHeap } from "./deadline-heap.ts";

/** What is known of a node that was ever heard of and is not fenced. */
export interface LastHeard {
  readonly node: Node;
  readonly atMs: number;
  /** When it was last heard after it had been late; left out: it never was. */
  readonly backMs?: number | undefined;
}

interface Counted {
  readonly name: string;
  readonly spec: Pick<NodeSpec, "region" | "zone">;
  readonly isSilent: boolean;
  /** When time alone counts it otherwise. */
  readonly deadlineMs: number;
}

/** Entries of nodes that were heard since stay in the order for a while. */
const STALE_MOST = 256;

export class SilenceCounts {
  private readonly picture = new SilencePicture();
  private readonly counted = new Map<string, Counted>();
  private readonly order = new DeadlineHeap<Counted>();
  private readonly touched = new Set<string>();
  private lastMs = Number.NEGATIVE_INFINITY;

  /** Something about the node may have changed. */
  touch(name: string): void {
    this.touched.add(name);
  }

  /** As of a moment; a later look does not change it. */
  at(nowMs: number, heardOf: (name: string) => LastHeard | undefined): SilencePicture {
    // Another clock may be behind: nothing that time has changed is known any more.
    if (nowMs < this.lastMs) for (const name of this.counted.keys()) this.touched.add(name);
    this.lastMs = nowMs;
    let first = this.order.first();
    while (first !== undefined && (first.deadlineMs <= nowMs || !this.isCurrent(first))) {
      if (this.isCurrent(first)) this.touched.add(first.name);
      this.order.shift();
      first = this.order.first();
    }
    for (const name of this.touched) this.count(name, nowMs, heardOf(name));
    this.touched.clear();
    if (this.order.size > 2 * this.counted.size + STALE_MOST) this.order.keep(this.isCurrent);
    return this.picture.copy();
  }

  private count(name: string, nowMs: number, heard: LastHeard | undefined): void {
    const before = this.counted.get(name);
    if (before !== undefined) this.picture.remove(before.spec, before.isSilent);
    if (heard === undefined) {
      this.counted.delete(name);
      return;
    }
    const { region, zone } = heard.node.spec;
    const counted = { name, spec: { region, zone }, ...silenceOf(heard, nowMs) };
    this.counted.set(name, counted);
    this.picture.add(counted, counted.isSilent);
    if (counted.deadlineMs < Infinity) this.order.push(counted);
  }

  private readonly isCurrent = (entry: Counted): boolean => this.counted.get(entry.name) === entry;
}

/** A node that was late counts as silent for a while after it is heard again. */
function silenceOf(
  { atMs, backMs = Number.NEGATIVE_INFINITY }: LastHeard,
  nowMs: number,
): Pick<Counted, "isSilent" | "deadlineMs"> {
  const isLate = nowMs - atMs > SUSPECT_AFTER_MS;
  const isJustBack = nowMs - backMs <= JUST_BACK_MS;
  if (isLate) return { isSilent: true, deadlineMs: Infinity };
  const lateMs = atMs + SUSPECT_AFTER_MS + 1;
  return isJustBack
    ? { isSilent: true, deadlineMs: Math.min(lateMs, backMs + JUST_BACK_MS + 1) }
    : { isSilent: false, deadlineMs: lateMs };
}
