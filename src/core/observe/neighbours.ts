/**
 * How many replicas of a kind are in which place: what spreading, caps, affinity and anti-affinity
 * are counted on. A selector is counted from scratch when it is first asked for and kept up to date
 * from then on, so that a question costs one look-up however many replicas there are.
 *
 * Its owner tells it of every replica that takes or leaves a node (`note`): the object index
 * from commits, a scheduler also from binds it has only asked for.
 */
import type { ObjectKey, Uid } from "../model/ids.ts";
import type { AffinityTerm, Labels, Node, Replica, Topology } from "../model/objects.ts";
import { domainOf } from "../model/topology.ts";

/** Which replicas are meant, and what makes two nodes one place for them. */
export interface Selector {
  readonly by: Topology;
  readonly of:
    | {
        readonly kind: "siblings";
        readonly workload: ObjectKey;
        readonly workloadUid: Uid;
        readonly generation: number;
      }
    | { readonly kind: "labels"; readonly tenants: readonly string[]; readonly labels: Labels }
    /** Those with this fixed port, of all tenants. */
    | { readonly kind: "port"; readonly port: number };
}

export type DomainCounts = ReadonlyMap<string, number>;

export interface Placed {
  readonly replica: Replica;
  readonly node: string;
}

/** Where the counts come from when a selector is new. */
export interface NeighbourSource {
  node(name: string): Node | undefined;
  /** Every replica that may match, with the node it holds; more than match is fine. */
  placed(selector: Selector): Iterable<Placed>;
}

/**
 * Selectors in use at once; beyond it the one longest unused is counted anew when it is asked for
 * again.
 */
const SELECTORS_KEPT = 4_096;

interface Counted {
  readonly selector: Selector;
  readonly counts: Map<string, number>;
}

/** Replicas that keep others away, by the term they do it with. */
interface Guard {
  readonly term: AffinityTerm;
  readonly tenants: readonly string[];
  readonly counts: Map<string, number>;
}

export class Neighbours {
  private readonly source: NeighbourSource;
  private readonly counted = new Map<string, Counted>();
  /** Where a replica may be counted, so that noting one does not walk every selector there is. */
  private readonly siblings = new Map<string, Set<Counted>>();
  private readonly labelled = new Set<Counted>();
  private readonly ported = new Map<number, Set<Counted>>();
  private readonly dropped = new WeakSet<DomainCounts>();
  private readonly guards = new Map<string, Guard>();
  // Hard private: two that count the same are equal, whatever was noted last.
  #lastUid: Uid | undefined;
  #lastGeneration = -1;
  #lastName = "";
  /** Grows when replicas keep others away in a way that was not there before. */
  guardsVersion = 0;

  constructor(source: NeighbourSource) {
    this.source = source;
  }

  /**
   * Replicas per place; places without any are not in it. Live while it is kept: it changes with
   * later notes.
   */
  counts(selector: Selector): DomainCounts {
    const name = nameOf(selector);
    const known = this.counted.get(name);
    if (known !== undefined) {
      // Last in line to be dropped.
      this.counted.delete(name);
      this.counted.set(name, known);
      return known.counts;
    }
    const entry: Counted = { selector, counts: new Map() };
    for (const { replica, node } of this.source.placed(selector)) {
      if (matches(selector, replica)) this.add(entry.counts, selector.by, node, 1);
    }
    this.counted.set(name, entry);
    this.file(entry);
    if (this.counted.size > SELECTORS_KEPT) this.dropOldest();
    return entry.counts;
  }

  /** False once the counts had to make way for others: their holder has to ask anew. */
  isKept(counts: DomainCounts): boolean {
    return !this.dropped.has(counts);
  }

  /**
   * The places from which this replica is kept away by those already there (their required
   * anti-affinity).
   */
  *guardsAgainst(
    replica: Replica,
  ): Iterable<{ readonly by: Topology; readonly counts: DomainCounts }> {
    for (const { term, tenants, counts } of this.guards.values()) {
      if (!tenants.includes(replica.meta.namespace)) continue;
      if (hasLabels(replica.meta.labels, term.labels)) yield { by: term.by, counts };
    }
  }

  get hasGuards(): boolean {
    return this.guards.size > 0;
  }

  /** A replica took (+1) or left (−1) a node. */
  note(replica: Replica, node: string, sign: 1 | -1): void {
    if (this.siblings.size > 0) {
      for (const entry of this.siblings.get(this.siblingsOf(replica)) ?? []) {
        this.add(entry.counts, entry.selector.by, node, sign);
      }
    }
    for (const entry of this.labelled) {
      if (matches(entry.selector, replica)) {
        this.add(entry.counts, entry.selector.by, node, sign);
      }
    }
    const { affinity, ask } = replica.spec.template;
    if (ask.fixedPorts !== undefined) {
      for (const port of new Set(Object.values(ask.fixedPorts))) {
        for (const entry of this.ported.get(port) ?? []) {
          this.add(entry.counts, entry.selector.by, node, sign);
        }
      }
    }
    for (const term of affinity?.antiRequired ?? []) {
      this.add(this.guardOf(term, replica.meta.namespace).counts, term.by, node, sign);
    }
  }

  /** Replicas of a workload come one after the other: their name is made once. */
  private siblingsOf({ spec: { workloadUid, generation } }: Replica): string {
    if (this.#lastUid !== workloadUid || this.#lastGeneration !== generation) {
      this.#lastUid = workloadUid;
      this.#lastGeneration = generation;
      this.#lastName = siblingsName(workloadUid, generation);
    }
    return this.#lastName;
  }

  /**
   * A node moved to other places, or came or went. What was counted for it under the old ones would
   * stay there for ever, so everything is counted anew when it is next asked for.
   */
  relabelled(placed: Iterable<Placed>): void {
    this.counted.clear();
    this.siblings.clear();
    this.labelled.clear();
    this.ported.clear();
    this.guards.clear();
    for (const { replica, node } of placed) {
      for (const term of replica.spec.template.affinity?.antiRequired ?? []) {
        this.add(this.guardOf(term, replica.meta.namespace).counts, term.by, node, 1);
      }
    }
  }

  private add(counts: Map<string, number>, by: Topology, name: string, sign: 1 | -1): void {
    const node = this.source.node(name);
    const domain = node === undefined ? undefined : domainOf(node, by);
    if (domain === undefined) return;
    const count = (counts.get(domain) ?? 0) + sign;
    if (count === 0) counts.delete(domain);
    else counts.set(domain, count);
  }

  private guardOf(term: AffinityTerm, tenant: string): Guard {
    const tenants = term.tenants ?? [tenant];
    const name = nameOf({ by: term.by, of: { kind: "labels", tenants, labels: term.labels } });
    let guard = this.guards.get(name);
    if (guard === undefined) {
      guard = { term, tenants, counts: new Map() };
      this.guards.set(name, guard);
      this.guardsVersion += 1;
    }
    return guard;
  }

  private file(entry: Counted): void {
    const { of } = entry.selector;
    if (of.kind === "labels") {
      this.labelled.add(entry);
      return;
    }
    if (of.kind === "port") fileUnder(this.ported, of.port, entry);
    else fileUnder(this.siblings, siblingsName(of.workloadUid, of.generation), entry);
  }

  private dropOldest(): void {
    for (const [name, entry] of this.counted) {
      this.counted.delete(name);
      this.dropped.add(entry.counts);
      this.labelled.delete(entry);
      const { of } = entry.selector;
      if (of.kind === "port") takeFrom(this.ported, of.port, entry);
      if (of.kind === "siblings") {
        takeFrom(this.siblings, siblingsName(of.workloadUid, of.generation), entry);
      }
      return;
    }
  }
}

function fileUnder<Name>(files: Map<Name, Set<Counted>>, name: Name, entry: Counted): void {
  const filed = files.get(name);
  if (filed === undefined) files.set(name, new Set([entry]));
  else filed.add(entry);
}

function takeFrom<Name>(files: Map<Name, Set<Counted>>, name: Name, entry: Counted): void {
  const filed = files.get(name);
  if (filed?.delete(entry) && filed.size === 0) files.delete(name);
}

export function matches({ of }: Selector, replica: Replica): boolean {
  if (of.kind === "siblings") {
    const { workloadUid, generation } = replica.spec;
    return workloadUid === of.workloadUid && generation === of.generation;
  }
  if (of.kind === "port") {
    const { fixedPorts } = replica.spec.template.ask;
    return fixedPorts !== undefined && Object.values(fixedPorts).includes(of.port);
  }
  return of.tenants.includes(replica.meta.namespace) && hasLabels(replica.meta.labels, of.labels);
}

/** Whether all the wanted labels are there with their values. */
export function hasLabels(labels: Labels, wanted: Labels): boolean {
  for (const name in wanted) if (labels[name] !== wanted[name]) return false;
  return true;
}

const siblingsName = (uid: Uid, generation: number): string => `${uid}/${generation}`;

/** Two selectors that mean the same have the same name, whatever order they were written in. */
export function nameOf({ by, of }: Selector): string {
  if (of.kind === "siblings") return `${by} s ${siblingsName(of.workloadUid, of.generation)}`;
  if (of.kind === "port") return `${by} p ${of.port}`;
  const labels = Object.entries(of.labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${by} l ${of.tenants.toSorted().join(",")} ${JSON.stringify(labels)}`;
}
