/**
 * What becomes of bindings that were made while their region was partitioned. Once the region is
 * back, what an ordinary bind could make now is confirmed, and the rest is asked to stop with the
 * rule that it would break (DG5). Whatever was not confirmed in time is asked to stop, also while
 * the region is still partitioned (DG6).
 */
import type { Evidence } from "../../model/evidence.ts";
import { nodeKey } from "../../model/ids.ts";
import { overrideText } from "../../model/override.ts";
import type { Node, Replica } from "../../model/objects.ts";
import { madeAt, type Provisional, provisionalOf } from "../../model/provisional.ts";
import { confirmWithinMs, marksOn } from "../../rules/override/partitioned.ts";
import { whyNotConfirmed } from "../../rules/override/why-not-confirmed.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, missing, type Verdict, withStatus } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { sinceMoment } from "../checks/batch-incarnations.ts";

export function checkConfirm(context: CommitContext, intent: IntentOf<"confirm">): Verdict {
  const replica = context.ledger.objects.replica(intent.replica);
  if (replica === undefined) return missing(intent.replica);
  const { incarnation, stopping } = replica.status;
  if (incarnation !== intent.incarnation)
    return reject("wrong-incarnation", replica.key, incarnation, intent.incarnation);
  const provisional = settled(context, replica);
  if ("code" in provisional) return provisional;
  if (stopping !== undefined) return reject("wrong-stage", replica.key, "not stopping", "stopping");
  const leftMs = timeLeftMs(context, replica, provisional);
  if (leftMs <= 0) return reject("not-confirmed", replica.key, "in time", `${-leftMs} ms late`);
  const node = nodeBack(context, replica);
  if ("code" in node) return node;
  const rule = whyNotConfirmed(context.ledger.objects, replica, node);
  if (rule !== undefined) return reject("not-confirmed", replica.key, "every rule of a bind", rule);
  // From here on it is counted like any other, and spends nothing of what was granted for a while.
  return [withStatus(context, replica, { provisional: undefined, budget: undefined })];
}

/** Whether it may be settled at all by this sender. */
function settled({ role }: CommitContext, replica: Replica): Provisional | Rejection {
  if (role !== "settle-region") return reject("not-owner", replica.key, "settle-region", role);
  return (
    provisionalOf(replica) ??
    reject("confirm-not-due", replica.key, "provisional", "not provisional")
  );
}

/** Its node, once its region is back and the node is heard. */
function nodeBack({ ledger, nowMs }: CommitContext, { key, status }: Replica): Node | Rejection {
  const { objects } = ledger;
  const name = status.node ?? "";
  const node = objects.nodeNamed(name);
  if (node === undefined) return missing(nodeKey(name));
  const [mark] = marksOn(objects, node.spec.region, nowMs);
  if (mark !== undefined) {
    return reject(
      "region-partitioned",
      mark.key,
      "a region that is connected again",
      overrideText(mark),
    );
  }
  const { health } = node.status;
  return health === "ready" && status.stage !== "unknown"
    ? node
    : reject("confirm-not-due", key, "a node that renews its lease", health);
}

const timeLeftMs = (
  context: CommitContext,
  { status }: Replica,
  provisional: Provisional,
): number => {
  const { objects } = context.ledger;
  const region = objects.nodeNamed(status.node ?? "")?.spec.region;
  return confirmWithinMs(objects, region) - sinceMoment(context, madeAt(provisional));
};

type Unconfirmed = Extract<Evidence, { kind: "not-confirmed" | "confirm-overdue" }>;

/** Why such a binding is not sent away on this evidence; undefined: it is. */
export function unconfirmedUnsupported(
  context: CommitContext,
  replica: Replica,
  evidence: Unconfirmed,
): Rejection | undefined {
  const provisional = settled(context, replica);
  if ("code" in provisional) return provisional;
  if (evidence.kind === "confirm-overdue") {
    if (evidence.override !== provisional.override) {
      return reject("evidence-wrong", replica.key, provisional.override, evidence.override);
    }
    const leftMs = timeLeftMs(context, replica, provisional);
    return leftMs <= 0
      ? undefined
      : reject("confirm-not-due", replica.key, "its time to be over", `${leftMs} ms left`);
  }
  const node = nodeBack(context, replica);
  if ("code" in node) return node;
  const rule = whyNotConfirmed(context.ledger.objects, replica, node);
  const isBorneOut = evidence.region === node.spec.region && evidence.rule === rule;
  return isBorneOut
    ? undefined
    : reject("evidence-wrong", replica.key, rule ?? "confirmed", evidence.rule);
}
