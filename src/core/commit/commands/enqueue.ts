/**
 * Gives indexes an incarnation, holds quota for them and queues them, in one commit and all or
 * none. It is the sum of admit, reserve and queue, and keeps every rule of the three: for indexes
 * whose quota is there at once, going through them one by one would only be slower.
 */
import { type Amounts, NOTHING, plus } from "../../model/amounts.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Replica, Workload } from "../../model/objects.ts";
import { type IntentOf, INDEXES_PER_COMMAND } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type CommitContext, isRejection, missing, type Verdict, withStatus } from "../verdict.ts";
import { reject } from "../../protocol/rejection.ts";
import { type Beginning, checkIndex, type WantedIndex } from "./admit.ts";
import { withinJob } from "../checks/batch-incarnations.ts";
import { checkQuota, heldReservation } from "./reserve.ts";
import { surgeExceeded } from "../checks/surge.ts";

export function checkEnqueue(context: CommitContext, intent: IntentOf<"enqueue">): Verdict {
  const workload = context.ledger.objects.workload(intent.workload);
  if (workload === undefined) return missing(intent.workload);
  const { indexes, generation } = intent;
  if (indexes.length === 0 || indexes.length > INDEXES_PER_COMMAND) {
    return reject("bad-object", "indexes", `1 to ${INDEXES_PER_COMMAND}`, indexes.length);
  }
  let needed: Amounts = NOTHING;
  let last = -1;
  const changes: Change[] = [];
  for (const { index, incarnation } of indexes) {
    if (index <= last) return reject("bad-object", "indexes", "in order, each once", index);
    last = index;
    const begins = { stage: "queued", uidSuffix: `.${index}` } as const;
    const verdict = indexToQueue(context, workload, { generation, index, incarnation, begins });
    if (isRejection(verdict)) return verdict;
    const [change] = verdict as readonly [Change];
    const replica = change.after as Replica;
    const held = heldReservation(context, replica);
    if (held !== undefined) return reject("reservation-exists", replica.key, "none held", held.key);
    changes.push(change);
    needed = plus(needed, replica.spec.template.ask.amounts);
  }
  const { namespace: tenant } = workload.meta;
  const { priorityClass } = ((changes[0] as Change).after as Replica).spec.template;
  const fresh = changes.filter(({ before }) => !isAdmitted(before as Replica | undefined)).length;
  return (
    surgeExceeded(context, workload, fresh) ??
    checkQuota(context, { tenant, priorityClass, amounts: needed }) ??
    withinJob(context, workload, changes)
  );
}

/**
 * An index that was admitted in this incarnation and waited for quota goes on; every other begins
 * an incarnation.
 */
function indexToQueue(
  context: CommitContext,
  workload: Workload,
  wanted: WantedIndex & { readonly begins: Beginning },
): Verdict {
  const begun = checkIndex(context, workload, wanted, wanted.begins);
  if (!isRejection(begun) || begun.code !== "wrong-stage") return begun;
  const held = context.ledger.objects.replica(begun.field as ObjectKey);
  if (held?.status.stage !== "admitted" || held.status.incarnation !== wanted.incarnation)
    return begun;
  if (context.role !== "admit") return reject("not-owner", held.key, "admit", context.role);
  return [withStatus(context, held, { stage: wanted.begins.stage })];
}

const isAdmitted = (replica: Replica | undefined): boolean => replica?.status.stage === "admitted";
