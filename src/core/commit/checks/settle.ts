/**
 * A replica that was replaced is back: one of the two stays, the other is asked to stop, in one commit (DC5). The
 * one that goes is the replaced one from then on, whichever it was before, so its slot never has two of its own.
 */
import { nodeKey, type ObjectKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { holdsNode, isResting } from "../../model/stage.ts";
import { whoStays } from "../../model/who-stays.ts";
import { roomFor } from "../../observe/held-room.ts";
import { otherOf } from "../../observe/slot-replicas.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type Bench, FREED, removed, type Verdict, withStatus } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";

export function judgeSettle(bench: Bench, goes: Replica, staysKey: ObjectKey): Verdict {
  if (bench.role !== "release-lost") {
    return no("not-owner", goes.key, "release-lost", bench.role);
  }
  const stays = otherOf(bench.ledger.objects, goes);
  if (stays?.key !== staysKey) {
    return no("evidence-wrong", goes.key, stays?.key ?? "no other of the slot", staysKey);
  }
  const unsupported = settleUnsupported(bench, goes, stays);
  if (unsupported !== undefined) return unsupported;
  const gone = letGo(bench, goes, stays);
  return stays.status.superseded === undefined ? gone : [reinstated(bench, stays, goes), ...gone];
}

function settleUnsupported(bench: Bench, goes: Replica, stays: Replica): No | undefined {
  const isOriginalGoing = goes.status.superseded !== undefined;
  const [original, replacement] = isOriginalGoing ? [goes, stays] : [stays, goes];
  const { superseded, node: name, session, stopping } = original.status;
  if (superseded === undefined || replacement.status.superseded !== undefined) {
    return no("evidence-wrong", original.key, "one of the two replaced", "neither or both");
  }
  if (stopping !== undefined) return no("wrong-stage", original.key, "not stopping", "stopping");
  const node = bench.ledger.objects.node(nodeKey(name ?? ""));
  if (node?.status.health !== "ready" || node.status.session !== session) {
    const found = `${node?.status.health ?? "gone"} in session ${node?.status.session ?? 0}`;
    return no("evidence-wrong", nodeKey(name ?? ""), `ready in session ${session}`, found);
  }
  const standing = whoStays(original, replacement);
  const asked = isOriginalGoing ? "replacement" : "original";
  return standing === asked ? undefined : no("evidence-wrong", original.key, standing, asked);
}

/** The slot's lives were counted on under the other name; its next one is the next of all. */
const reinstated = (bench: Bench, stays: Replica, goes: Replica): Change =>
  withStatus(bench, stays, {
    superseded: undefined,
    slotLives: Math.max(stays.status.life, goes.status.life, goes.status.slotLives ?? 0),
  });

function letGo(bench: Bench, goes: Replica, stays: Replica): readonly Change[] {
  const { stage, superseded, stopping } = goes.status;
  const evidence = { kind: "reconciled", stays: stays.key } as const;
  const mark = { superseded: superseded ?? { evidence, sinceMs: bench.nowMs } };
  if (holdsNode(stage)) {
    const asked = stopping ?? { reason: "replaced", sinceMs: bench.nowMs };
    return [withStatus(bench, goes, { ...mark, stopping: asked })];
  }
  if (isResting(stage)) return [withStatus(bench, goes, mark)];
  const ended = withStatus(bench, goes, { ...FREED, ...mark, stage: "released" });
  const room = roomFor(bench.ledger.objects, goes);
  return room === undefined ? [ended] : [removed(room), ended];
}
