/**
 * Brings a gang to the queue: with quota for all of its members or for none (GA2), and not for
 * longer than it may hold quota without running (GA3). Members that wait for quota are admitted, so
 * that they are visible.
 */
import { countText } from "../model/text/count-text.ts";
import type { IndexIncarnation } from "../protocol/command.ts";
import type { WaitReason } from "../protocol/decision.ts";
import { times } from "../model/amounts.ts";
import type { Replica, Workload } from "../model/objects.ts";
import { quotaShort } from "../observe/accounts/quota-room.ts";
import { giveUp } from "./gang.ts";
import { type Advance, enqueue, startIncarnation, isLeakInTheWay } from "./start-incarnations.ts";
import { quotaWait } from "./quota-wait.ts";

/** That a reservation goes is shown by the watch; this is only for the case that it is not. */
const LEAK_PATIENCE_MS = 15_000;

export interface GangWait {
  readonly reason: Extract<WaitReason, "gang-waiting" | "gang-backoff">;
  readonly deadlineMs: number;
  readonly summary: string;
}

/**
 * `fresh` are the indexes that need a new incarnation, `admitted` those that have one and hold no
 * quota yet.
 */
export function gatherGang(
  workload: Workload,
  {
    fresh,
    admitted,
  }: { readonly fresh: readonly IndexIncarnation[]; readonly admitted: readonly Replica[] },
  advance: Advance,
): void {
  const { view, look, found } = advance;
  if (isGivingUp(workload, advance)) return;
  // A failed member comes back after its pause; until then the others take nothing.
  if (found.restarts.length > 0 || fresh.length + admitted.length === 0) return;
  const waiting = admitted.map(({ spec, status }) => ({
    index: spec.index,
    incarnation: status.incarnation,
  }));
  const all = [...fresh, ...waiting].toSorted((a, b) => a.index - b.index);
  if (all.some((each) => isLeakInTheWay(workload, each, view))) {
    const summary = "a reservation of an earlier gang of the same name must be reclaimed first";
    found.gang ??= { reason: "gang-waiting", deadlineMs: look.now + LEAK_PATIENCE_MS, summary };
    return;
  }
  const short = quotaShort(view.objects, {
    tenant: workload.meta.namespace,
    priorityClass: workload.spec.template.priorityClass,
    amounts: times(workload.spec.template.ask.amounts, all.length),
  });
  if (short === undefined) {
    found.intents.push(enqueue(workload, all));
    return;
  }
  for (const each of fresh) found.intents.push(startIncarnation(workload, each));
  const first = admitted[0];
  if (first !== undefined) found.quota = quotaWait(first, short, view, all.length);
}

/** Whatever else is the matter: those that are queued hold quota, and not for ever. */
function isGivingUp(workload: Workload, { view, look, found }: Advance): boolean {
  const queued = queuedOf(workload, view.objects.replicasOf(workload.key).values());
  const { gangs } = found;
  if (gangs.backMs(workload.key) <= look.now) {
    const deadlineMs = gangs.deadlineMs(workload, queued, look.now);
    if (queued.length === 0) return false;
    if (look.now < deadlineMs) {
      const summary = `${countText(queued.length, "member")} with quota: the gang waits until all of its members fit`;
      found.gang = { reason: "gang-waiting", deadlineMs, summary };
      return false;
    }
    gangs.gaveUp(workload.key, look.now);
  }
  const summary = "the gang did not fit in time and returned its quota for a while";
  found.gang = { reason: "gang-backoff", deadlineMs: gangs.backMs(workload.key), summary };
  // A wide gang gives back in steps.
  for (const member of queued) found.intents.push(giveUp(workload.key, member));
  return true;
}

function queuedOf(
  { meta, spec, status }: Workload,
  replicas: Iterable<Replica>,
): readonly Replica[] {
  const queued: Replica[] = [];
  for (const replica of replicas) {
    const { generation, workloadUid, index } = replica.spec;
    if (replica.status.stage !== "queued" || generation !== status.templateGeneration) continue;
    if (workloadUid === meta.uid && index < spec.replicas) queued.push(replica);
  }
  return queued.toSorted((a, b) => a.spec.index - b.spec.index);
}
