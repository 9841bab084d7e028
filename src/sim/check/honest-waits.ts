/**
 * [INV18] Whoever waits for room or quota does so truthfully: in its own view there is none. The view may be
 * stale; what it shows must have been acted on in the turn that showed it.
 *
 * It would break if a change that ends a wait made no fact, or a fact woke nobody: the lost wake-up, which
 * otherwise hides behind the deadline that bounds it.
 */
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Believer, Checker, Report, Truth } from "./checker.ts";
import { feasibleNodes, fitsInto, freeQuota } from "./naive-fit.ts";

class HonestWaitsChecker implements Checker {
  readonly name = "honest-waits";

  sampled(truth: Truth, report: Report): void {
    for (const believer of truth.clients()) this.check(believer, report);
  }

  atEnd(truth: Truth, report: Report): void {
    this.sampled(truth, report);
  }

  private check({ name, view, owed }: Believer, report: Report): void {
    for (const { key, reason } of owed) {
      const ended =
        reason === "no-feasible-node"
          ? roomFor(view.objects, key)
          : reason === "quota-exhausted"
            ? quotaFor(view.objects, key)
            : undefined;
      if (ended === undefined) continue;
      report("INV18", `${name} lets ${key} wait for ${reason}, but in its own view ${ended}.`, key);
    }
  }
}

function roomFor(objects: ObjectIndex, key: ObjectKey): string | undefined {
  const replica = objects.replica(key);
  if (replica?.status.stage !== "queued") return undefined;
  const node = feasibleNodes(objects, replica)[0];
  return node && `${node.meta.name} can take it`;
}

function quotaFor(objects: ObjectIndex, workload: ObjectKey): string | undefined {
  const { namespace: tenant, name } = parseKey(workload);
  const free = freeQuota(objects, tenant);
  if (free === undefined) return undefined;
  for (const replica of objects.replicasOf(workload).values()) {
    const { stage, life } = replica.status;
    if (stage !== "admitted" || replica.spec.workload !== name) continue;
    const isHeld = [...objects.reservationsOf(replica.key).values()].some(
      ({ spec }) => spec.life === life,
    );
    if (isHeld || fitsInto(replica.spec.template.ask.amounts, free)) {
      return `there is quota for ${replica.key}`;
    }
  }
  return undefined;
}

export const createHonestWaitsChecker = (): Checker => new HonestWaitsChecker();
