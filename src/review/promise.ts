/** A promise as a reviewer takes it: from a file or from a plane, it is the same. */
import {
  type CommitmentSpec,
  FLEET_NAMESPACE,
  promisedWorkload,
  type PromiseKind,
  promiseKindsOf,
} from "../core/model/commitment.ts";
import { assert } from "../core/model/assert.ts";
import { type ObjectKey, parseKey, workloadKey } from "../core/model/ids.ts";
import type { Commitment } from "../core/model/objects.ts";

export interface StatedPromise {
  readonly namespace: string;
  readonly name: string;
  readonly spec: CommitmentSpec;
}

export const promiseOf = ({ meta, spec }: Commitment): StatedPromise => ({
  namespace: meta.namespace,
  name: meta.name,
  spec,
});

/** As findings name it, such as "payments/risk-api-recovers". */
export const nameOf = ({ namespace, name }: StatedPromise): string => `${namespace}/${name}`;

export function kindOf({ spec }: StatedPromise): PromiseKind {
  const [kind] = promiseKindsOf(spec);
  assert(kind !== undefined, "A commitment without a promise is not well-formed.");
  return kind;
}

/** The workload that it is about; left out: it is about all of its tenant or of the fleet. */
export function workloadOfPromise({ spec, namespace }: StatedPromise): ObjectKey | undefined {
  const { recover, keepServing, headroom } = spec;
  const named = (recover ?? keepServing ?? headroom)?.workload;
  if (named === undefined) return undefined;
  const { tenant, name } = promisedWorkload(named, namespace);
  return workloadKey(tenant, name);
}

/** The tenant that it is about; left out: all of them. */
export function tenantOfPromise({ spec, namespace }: StatedPromise): string | undefined {
  return spec.isolation?.tenant ?? (namespace === FLEET_NAMESPACE ? undefined : namespace);
}

/** Whether an object of a tenant counts for the promise. */
export function isAbout(promise: StatedPromise, key: ObjectKey): boolean {
  const workload = workloadOfPromise(promise);
  if (workload !== undefined) return workload === key;
  const tenant = tenantOfPromise(promise);
  return tenant === undefined || parseKey(key).namespace === tenant;
}

/** The time that it allows, if it is about a time. */
export function promisedMsOf({ spec }: StatedPromise): number | undefined {
  const { recover, wait, fairness, drains, overrideEnds } = spec;
  return (recover ?? wait ?? fairness ?? drains ?? overrideEnds)?.withinMs;
}
