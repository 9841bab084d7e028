/**
 * Frees a replica that was lost with its node. This is destructive, so it rests on evidence that
 * the committed state must match.
 */
import { type Evidence, silenceOf } from "../../model/evidence.ts";
import { nodeKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { secondsText } from "../../model/text/seconds-text.ts";
import { ownerOf } from "../../model/stage.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, FREED, missing, type Verdict, withStatus } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { releaseForgotten } from "../checks/forgotten.ts";
import { checkReplace, replaceNotDue } from "../checks/replace.ts";
import { releaseVanished } from "../checks/vanished.ts";

export function checkRelease(context: CommitContext, intent: IntentOf<"release">): Verdict {
  const replica = context.ledger.objects.replica(intent.key);
  if (replica === undefined) return missing(intent.key);
  const { stage, incarnation } = replica.status;
  if (incarnation !== intent.incarnation)
    return reject("wrong-incarnation", replica.key, incarnation, intent.incarnation);
  if (intent.evidence.kind === "node-vanished") return releaseVanished(context, replica, intent);
  if (intent.evidence.kind === "agent-forgot") return releaseForgotten(context, replica, intent);
  const owner = ownerOf(stage, "released");
  if (owner === undefined) return reject("wrong-stage", replica.key, "holding a node", stage);
  if (owner !== context.role) return reject("not-owner", replica.key, owner, context.role);
  const unsupported = lossUnsupported(context, replica, intent);
  if (unsupported !== undefined) return unsupported;
  if (intent.evidence.kind === "replace-after") return checkReplace(context, replica, intent);
  const lastEnd = lossText(context, replica, intent.evidence);
  return [withStatus(context, replica, { ...FREED, stage: "released", lastEnd })];
}

/** The message for a replica whose end was not observed. */
function lossText(context: CommitContext, { status }: Replica, { kind }: Evidence): string {
  const where = `${status.node} session ${status.session}`;
  if (kind === "session-ended") return `session-ended: ${where} was followed by a later one`;
  const found = context.ledger.objects.node(nodeKey(status.node ?? ""))?.status.evidence;
  if (found?.kind === "person") {
    return `node-fenced: ${where}, on the word of ${found.name}: ${found.statement}`;
  }
  const silentMs = silenceOf(found);
  return silentMs === undefined
    ? `node-fenced: ${where}`
    : `node-fenced: ${where}, lease silent for ${secondsText(silentMs)}`;
}

/** A replica is lost when its node's session is over, and only then (EV2). */
function lossUnsupported(
  context: CommitContext,
  replica: Replica,
  intent: IntentOf<"release">,
): Rejection | undefined {
  const { evidence } = intent;
  if (
    evidence.kind !== "node-fenced" &&
    evidence.kind !== "session-ended" &&
    evidence.kind !== "replace-after"
  ) {
    return reject("evidence-missing", replica.key, "node-fenced or session-ended", evidence.kind);
  }
  const { node: name, session } = replica.status;
  if (name !== evidence.node || session !== evidence.session) {
    return reject(
      "evidence-wrong",
      replica.key,
      `${name} session ${session}`,
      `${evidence.node} session ${evidence.session}`,
    );
  }
  const node = context.ledger.objects.node(nodeKey(evidence.node));
  if (evidence.kind === "session-ended") {
    const now = node?.status.session ?? session;
    return now > session
      ? undefined
      : reject("evidence-wrong", nodeKey(evidence.node), `session after ${session}`, now);
  }
  if (node?.status.health !== "fenced") {
    return reject(
      "evidence-wrong",
      nodeKey(evidence.node),
      "fenced",
      node?.status.health ?? "missing",
    );
  }
  if (evidence.kind === "replace-after") return undefined;
  // Fencing proves that leashed processes are dead. One that keeps running on purpose has no leash
  // (EV5).
  const vouched = node.status.evidence?.kind === "person";
  if (vouched) return undefined;
  if (replica.spec.template.onDisconnect === "keep") {
    return reject("keeps-running", replica.key, "onDisconnect stop", "onDisconnect keep");
  }
  // It is gone, but its workload would rather wait for its node than be moved (DC1).
  return replaceNotDue(context, node, replica);
}
