/**
 * Whose work may take the place of whose. The relation is asked by the proposer, by the authority,
 * and by the check that it terminates: a preemption whose victim could start one against its cause
 * would never end.
 */
import { type ObjectKey, parseKey } from "./ids.ts";
import type { PriorityClass, PriorityClassSpec, Replica } from "./objects.ts";
import { bandsKeptApart, type PolicyRules } from "./policy.ts";

/** What a person may give a class; the range Kubernetes leaves to its users. */
export const HIGHEST_VALUE = 1_000_000_000;

/** Work without a class is below every class there can be, and never preempts. */
export const NO_CLASS: PriorityClassSpec = { value: -HIGHEST_VALUE - 1, preempts: "never" };

/**
 * Preempted replicas in any minute, over the whole plane. Five thousand nodes with ten replicas
 * each are turned over once by as many: more than that is no urgency but a mistake in somebody's
 * classes.
 */
export const PREEMPTED_PER_MINUTE = 50_000;

/** The time over which they are counted. */
export const PREEMPTED_WITHIN_MS = 60_000;

/**
 * What one replica may ask to leave, as many as one command may bind. Fewer than a node may hold
 * would be a shield: work that is cut small enough could never be preempted.
 */
export const VICTIMS_PER_PREEMPTION = 1_024;

/**
 * Room is held this much longer than the longest grace of those who leave: their agent may be slow
 * or silent.
 */
export const HOLD_SLACK_MS = 60_000;

/**
 * Strictly higher, not of one band, of a class that takes places, from a class that gives them up.
 */
export function mayPreempt(
  by: PriorityClassSpec,
  victim: PriorityClassSpec,
  rules?: PolicyRules,
): boolean {
  if (by.preempts === "never" || victim.preemptible === false) return false;
  if (rules !== undefined && bandsKeptApart(rules, by.band, victim.band)) return false;
  const band = by.band ?? "";
  if (band !== "" && band === victim.band) return false;
  return by.value > victim.value;
}

/**
 * A replica never preempts one that its affinity needs: without it, it could not be placed, the
 * victim would return, and the cycle would repeat.
 */
export function isCompany(replica: Replica, other: Replica): boolean {
  const terms = replica.spec.template.affinity?.required ?? [];
  return terms.some(({ labels, tenants = [replica.meta.namespace] }) => {
    if (!tenants.includes(other.meta.namespace)) return false;
    return Object.entries(labels).every(([label, value]) => other.meta.labels[label] === value);
  });
}

export const priorityClassKey = (name: string): ObjectKey => `PriorityClass//${name}` as ObjectKey;

/** A class that is not there, or not there any more, counts as none. */
export function classOf(
  classes: { get(key: ObjectKey): PriorityClass | undefined },
  name: string,
): PriorityClassSpec {
  return (name === "" ? undefined : classes.get(priorityClassKey(name))?.spec) ?? NO_CLASS;
}

/**
 * Classes that could take each other's place in a circle, or undefined. Values alone already forbid
 * it; it is looked for in the relation as it is, so that no later clause of the relation can let
 * one in unseen.
 */
export function preemptionCycle(
  classes: ReadonlyMap<ObjectKey, PriorityClassSpec>,
  may: typeof mayPreempt = mayPreempt,
): readonly string[] | undefined {
  const names = [...classes.keys()].toSorted();
  const done = new Set<ObjectKey>();
  const path: ObjectKey[] = [];
  const visit = (at: ObjectKey): readonly string[] | undefined => {
    if (done.has(at)) return undefined;
    const start = path.indexOf(at);
    if (start >= 0) return [...path.slice(start), at].map((key) => parseKey(key).name);
    path.push(at);
    for (const next of names) {
      const found = may(specOf(classes, at), specOf(classes, next)) ? visit(next) : undefined;
      if (found !== undefined) return found;
    }
    path.pop();
    done.add(at);
    return undefined;
  };
  for (const name of names) {
    const found = visit(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

const specOf = (
  classes: ReadonlyMap<ObjectKey, PriorityClassSpec>,
  key: ObjectKey,
): PriorityClassSpec => classes.get(key) ?? NO_CLASS;
