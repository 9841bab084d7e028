/**
 * Gives slots a life, holds quota for them and queues them, in one commit and all or none. It is the sum of
 * admit, reserve and queue, and keeps every rule of the three: for slots whose quota is there at once, going
 * through them one by one would only be slower.
 */
import { type Amounts, NOTHING, plus } from "../../model/amounts.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Replica, Workload } from "../../model/objects.ts";
import { type IntentOf, SLOTS_PER_COMMAND } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type Bench, isNo, missing, type Verdict, withStatus } from "../verdict.ts";
import { no } from "../../protocol/no.ts";
import { type Beginning, judgeSlot, type WantedSlot } from "./admit.ts";
import { withinJob } from "../checks/batch-lives.ts";
import { checkQuota, heldReservation } from "./reserve.ts";
import { surgeExceeded } from "../checks/surge.ts";

export function judgeEnqueue(bench: Bench, intent: IntentOf<"enqueue">): Verdict {
  const workload = bench.ledger.objects.workload(intent.workload);
  if (workload === undefined) return missing(intent.workload);
  const { slots, generation } = intent;
  if (slots.length === 0 || slots.length > SLOTS_PER_COMMAND) {
    return no("bad-object", "slots", `1 to ${SLOTS_PER_COMMAND}`, slots.length);
  }
  let needed: Amounts = NOTHING;
  let last = -1;
  const changes: Change[] = [];
  for (const { slot, life } of slots) {
    if (slot <= last) return no("bad-object", "slots", "in order, each once", slot);
    last = slot;
    const begins = { stage: "queued", uidSuffix: `.${slot}` } as const;
    const verdict = slotToQueue(bench, workload, { generation, slot, life, begins });
    if (isNo(verdict)) return verdict;
    const [change] = verdict as readonly [Change];
    const replica = change.after as Replica;
    const held = heldReservation(bench, replica);
    if (held !== undefined) return no("reservation-exists", replica.key, "none held", held.key);
    changes.push(change);
    needed = plus(needed, replica.spec.template.ask.amounts);
  }
  const { namespace: tenant } = workload.meta;
  const { priorityClass } = ((changes[0] as Change).after as Replica).spec.template;
  const fresh = changes.filter(({ before }) => !isAdmitted(before as Replica | undefined)).length;
  return (
    surgeExceeded(bench, workload, fresh) ??
    checkQuota(bench, { tenant, priorityClass, amounts: needed }) ??
    withinJob(bench, workload, changes)
  );
}

/** A slot that was admitted in this life and waited for quota goes on; every other begins a life. */
function slotToQueue(
  bench: Bench,
  workload: Workload,
  of: WantedSlot & { readonly begins: Beginning },
): Verdict {
  const begun = judgeSlot(bench, workload, of, of.begins);
  if (!isNo(begun) || begun.code !== "wrong-stage") return begun;
  const held = bench.ledger.objects.replica(begun.field as ObjectKey);
  if (held?.status.stage !== "admitted" || held.status.life !== of.life) return begun;
  if (bench.role !== "admit") return no("not-owner", held.key, "admit", bench.role);
  return [withStatus(bench, held, { stage: of.begins.stage })];
}

const isAdmitted = (replica: Replica | undefined): boolean => replica?.status.stage === "admitted";
