/**
 * A replica that was replaced is back: one of the two stays, the other is asked to stop, in one
 * commit (DC5). The one that goes is the replaced one from then on, whichever it was before, so its
 * index never has two of its own.
 */
import { nodeKey, type ObjectKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { holdsNode, isResting } from "../../model/stage.ts";
import { whoStays } from "../../model/who-stays.ts";
import { roomFor } from "../../observe/held-room.ts";
import { otherOf } from "../../observe/index-replicas.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type CommitContext, FREED, removed, type Verdict, withStatus } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

export function checkSettle(context: CommitContext, goes: Replica, staysKey: ObjectKey): Verdict {
  if (context.role !== "release-lost") {
    return reject("not-owner", goes.key, "release-lost", context.role);
  }
  const stays = otherOf(context.ledger.objects, goes);
  if (stays?.key !== staysKey) {
    return reject("evidence-wrong", goes.key, stays?.key ?? "no other of the index", staysKey);
  }
  const unsupported = settleUnsupported(context, goes, stays);
  if (unsupported !== undefined) return unsupported;
  const gone = letGo(context, goes, stays);
  return stays.status.superseded === undefined ? gone : [reinstated(context, stays, goes), ...gone];
}

function settleUnsupported(
  context: CommitContext,
  goes: Replica,
  stays: Replica,
): Rejection | undefined {
  const isOriginalGoing = goes.status.superseded !== undefined;
  const [original, replacement] = isOriginalGoing ? [goes, stays] : [stays, goes];
  const { superseded, node: name, session, stopping } = original.status;
  if (superseded === undefined || replacement.status.superseded !== undefined) {
    return reject("evidence-wrong", original.key, "one of the two replaced", "neither or both");
  }
  if (stopping !== undefined) {
    return reject("wrong-stage", original.key, "not stopping", "stopping");
  }
  const node = context.ledger.objects.node(nodeKey(name ?? ""));
  if (node?.status.health !== "ready" || node.status.session !== session) {
    const found = `${node?.status.health ?? "gone"} in session ${node?.status.session ?? 0}`;
    return reject("evidence-wrong", nodeKey(name ?? ""), `ready in session ${session}`, found);
  }
  const standing = whoStays(original, replacement);
  const asked = isOriginalGoing ? "replacement" : "original";
  return standing === asked ? undefined : reject("evidence-wrong", original.key, standing, asked);
}

/**
 * The index's incarnations were counted on under the other name; its next one is the next of all.
 */
const reinstated = (context: CommitContext, stays: Replica, goes: Replica): Change =>
  withStatus(context, stays, {
    superseded: undefined,
    indexIncarnations: Math.max(
      stays.status.incarnation,
      goes.status.incarnation,
      goes.status.indexIncarnations ?? 0,
    ),
  });

function letGo(context: CommitContext, goes: Replica, stays: Replica): readonly Change[] {
  const { stage, superseded, stopping } = goes.status;
  const evidence = { kind: "reconciled", stays: stays.key } as const;
  const mark = { superseded: superseded ?? { evidence, sinceMs: context.nowMs } };
  if (holdsNode(stage)) {
    const asked = stopping ?? { reason: "replaced", sinceMs: context.nowMs };
    return [withStatus(context, goes, { ...mark, stopping: asked })];
  }
  if (isResting(stage)) return [withStatus(context, goes, mark)];
  const ended = withStatus(context, goes, { ...FREED, ...mark, stage: "released" });
  const room = roomFor(context.ledger.objects, goes);
  return room === undefined ? [ended] : [removed(room), ended];
}
