/**
 * Taints and tolerations. Berth's taints keep replicas away and stop none, so NoExecute becomes a
 * taint of its own name, "dedicated:NoExecute": who tolerates only the other effects of that key
 * stays away from it, as in Kubernetes. Evictions by such taints belong to the timing of a review.
 */
import type { Taint, Toleration } from "../../core/model/node/taint.ts";
import type { KubeTaint, KubeToleration } from "./kube-objects.ts";

const NO_EXECUTE = "NoExecute";
const executeKey = (key: string): string => `${key}:${NO_EXECUTE}`;

export function taintsOf(taints: readonly KubeTaint[]): readonly Taint[] {
  return taints.map(({ key, value = "", effect }) =>
    effect === NO_EXECUTE
      ? { key: executeKey(key), value, effect: "no-schedule" }
      : {
          key,
          value,
          effect: effect === "PreferNoSchedule" ? "prefer-no-schedule" : "no-schedule",
        },
  );
}

/** The keys of all taints there are: of those that evict, and of the others. */
export interface TaintKeys {
  readonly execute: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

export const tolerationsOf = (
  tolerations: readonly KubeToleration[],
  keys: TaintKeys,
): readonly Toleration[] => tolerations.flatMap((toleration) => tolerationOf(toleration, keys));

function tolerationOf(
  { key = "", value = "", effect = "" }: KubeToleration,
  keys: TaintKeys,
): readonly Toleration[] {
  const named = (all: ReadonlySet<string>): readonly string[] =>
    key === "" ? [...all] : all.has(key) ? [key] : [];
  const execute = named(keys.execute).map((one) => ({ key: executeKey(one), value }));
  const others = named(keys.others);
  switch (effect) {
    case NO_EXECUTE:
      return execute;
    case "NoSchedule":
      return others.map((one) => ({ key: one, value, effect: "no-schedule" }));
    case "PreferNoSchedule":
      return others.map((one) => ({ key: one, value, effect: "prefer-no-schedule" }));
    default:
      // Without a key it tolerates everything, those of another name included.
      return key === "" ? [{ key, value }] : [{ key, value }, ...execute];
  }
}

export function taintKeysOf(nodes: Iterable<readonly KubeTaint[]>): TaintKeys {
  const execute = new Set<string>();
  const others = new Set<string>();
  for (const taints of nodes) {
    for (const { key, effect } of taints) (effect === NO_EXECUTE ? execute : others).add(key);
  }
  return { execute, others };
}
