/**
 * An autoscaler as an object: whose workload it scales and what a put leaves of what it knows
 * (AS1).
 */
import {
  type AutoscalerSpec,
  type AutoscalerStatus,
  scaledWorkload,
} from "../../model/autoscaler.ts";
import { type ObjectKey, parseKey, workloadKey } from "../../model/ids.ts";
import type { Autoscaler } from "../../model/objects.ts";
import type { CommitContext } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { sameValue } from "../validate/same-value.ts";

/** Undefined also for a key of another kind. */
export function autoscalerOf(
  { ledger }: CommitContext,
  key: ObjectKey,
): { readonly key: ObjectKey; readonly autoscaler: Autoscaler | undefined } {
  const held = ledger.objects.get(key);
  return { key, autoscaler: held?.kind === "Autoscaler" ? held : undefined };
}

/** A workload is scaled by one: of two, each would take the other for a person (AS1). */
export function workloadTaken(
  { ledger }: CommitContext,
  key: ObjectKey,
  spec: AutoscalerSpec,
): Rejection | undefined {
  const workload = workloadKey(parseKey(key).namespace, spec.workload);
  const others = [...ledger.objects.all("Autoscaler").values()].filter(
    (each) => each.key !== key && scaledWorkload(each) === workload,
  );
  const [other] = others.map((each) => each.key).toSorted();
  return other && reject("workload-taken", workload, "no other autoscaler", other);
}

/** What was observed by another measure, or of another workload, says nothing. */
export function autoscalerStatusAfter(
  { spec, status }: Autoscaler,
  next: AutoscalerSpec,
): AutoscalerStatus {
  if (spec.workload !== next.workload) return {};
  if (sameValue(spec.target, next.target)) return status;
  const { replicas, manual, lastUp, lastDown } = status;
  return {
    ...(replicas === undefined ? {} : { replicas }),
    ...(manual === undefined ? {} : { manual }),
    ...(lastUp === undefined ? {} : { lastUp }),
    ...(lastDown === undefined ? {} : { lastDown }),
  };
}
