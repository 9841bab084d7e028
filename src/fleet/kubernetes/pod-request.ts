/**
 * What a pod requests in all, as kube-scheduler counts it: containers and sidecars together, or
 * the largest init container beside the sidecars begun before it, if that is more; a request of
 * the pod as a whole stands for its containers; the overhead of its runtime class comes on top.
 */
import type { KubeContainer, PodSpec, Quantities, Resources } from "./kube-objects.ts";
import { milliOf } from "./kube-quantity.ts";

/** By resource name, in thousandths. */
export type Request = ReadonlyMap<string, bigint>;

export function podRequest(spec: PodSpec): Request {
  const running = new Map<string, bigint>();
  for (const container of spec.containers ?? []) addTo(running, requestOf(container));
  const sidecars = new Map<string, bigint>();
  const starting = new Map<string, bigint>();
  for (const container of spec.initContainers ?? []) {
    const own = requestOf(container);
    if (container.restartPolicy === "Always") {
      addTo(sidecars, own);
      addTo(running, own);
      raiseTo(starting, sidecars);
      continue;
    }
    const together = new Map(sidecars);
    addTo(together, own);
    raiseTo(starting, together);
  }
  raiseTo(running, starting);
  for (const [name, milli] of withDefaults(spec.resources)) running.set(name, milli);
  addTo(running, amountsOf(spec.overhead));
  return running;
}

const requestOf = ({ resources }: KubeContainer): Request => withDefaults(resources);

/** A limit without a request is also the request. */
const withDefaults = (resources: Resources | undefined): Request =>
  amountsOf({ ...resources?.limits, ...resources?.requests });

export function amountsOf(texts: Quantities | undefined): Request {
  const amounts = new Map<string, bigint>();
  for (const [name, text] of Object.entries(texts ?? {})) {
    const milli = milliOf(text);
    if (milli !== undefined) amounts.set(name, milli);
  }
  return amounts;
}

function addTo(sum: Map<string, bigint>, more: Request): void {
  for (const [name, milli] of more) sum.set(name, (sum.get(name) ?? 0n) + milli);
}

function raiseTo(most: Map<string, bigint>, other: Request): void {
  for (const [name, milli] of other) {
    if (milli > (most.get(name) ?? 0n)) most.set(name, milli);
  }
}
