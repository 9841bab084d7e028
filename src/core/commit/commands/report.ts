/**
 * What an agent says about a process on its node. It is the one witness there is, but only within
 * its own session: an agent that was fenced or replaced has no say (LS1, LS2).
 */
import { isJob } from "../../model/batch.ts";
import { nodeKey } from "../../model/ids.ts";
import type { Replica, ReplicaStatus } from "../../model/objects.ts";
import { withRejection } from "../../model/node-rejection.ts";
import { sentence } from "../../model/text/sentence.ts";
import { agentMay, isReadyStage } from "../../model/stage.ts";
import { workloadOf } from "../../model/workload-of.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, FREED, missing, type Verdict, withStatus } from "../verdict.ts";
import { reject } from "../../protocol/rejection.ts";

export function checkReport(context: CommitContext, intent: IntentOf<"report">): Verdict {
  const { objects } = context.ledger;
  const replica = objects.replica(intent.replica);
  if (replica === undefined) return missing(intent.replica);
  if (context.role !== "agent") return reject("not-owner", replica.key, "agent", context.role);
  const { status } = replica;
  if (intent.uid !== undefined && intent.uid !== replica.meta.uid) {
    // The index was given up and is wanted again: the late report is about a replica that is gone.
    return reject("wrong-incarnation", `${replica.key} uid`, replica.meta.uid, intent.uid);
  }
  if (status.incarnation !== intent.incarnation) {
    return reject("wrong-incarnation", replica.key, status.incarnation, intent.incarnation);
  }
  if (status.node !== intent.node) {
    return reject(
      "not-owner",
      replica.key,
      `agent of ${status.node ?? "no node"}`,
      `agent of ${intent.node}`,
    );
  }
  if (status.session !== intent.session) {
    return reject("session-ended", replica.key, status.session, intent.session);
  }
  const node = objects.node(nodeKey(intent.node));
  if (node !== undefined && node.status.session !== intent.session) {
    return reject("session-ended", node.key, node.status.session, intent.session);
  }
  if (node?.status.health === "fenced") {
    return reject(
      "node-fenced",
      nodeKey(intent.node),
      "not fenced",
      `fenced in session ${intent.session}`,
    );
  }
  if (!agentMay(status.stage, intent.stage)) {
    return reject("wrong-stage", replica.key, "a stage that holds a node", status.stage);
  }
  // A replica asked to stop may not begin: the start would outlive the order to stop.
  if (intent.stage === "starting" && status.stopping !== undefined) {
    return reject("wrong-stage", replica.key, "not stopping", "stopping");
  }
  const said = sentence(intent.reason);
  // A start that was claimed long ago may arrive after the process was ready; only a
  // failed probe takes it back (EV9).
  if (intent.stage === "starting" && isReadyStage(status.stage) && said === undefined) {
    return reject("wrong-stage", replica.key, "a failed probe", status.stage);
  }
  switch (intent.stage) {
    case "failed": {
      // After a long time without trouble a failure is a first one again (ST4); a job counts all of
      // them (BA3).
      const isFirst = intent.wasStable === true && !isJob(objects.workload(workloadOf(replica)));
      const failures = isFirst ? 1 : status.failures + 1;
      const turnedAway = intent.rejected === true ? rejectedBy(replica, intent.node) : {};
      const end = { ...FREED, stage: "failed", failures, lastEnd: said, ...turnedAway } as const;
      return [withStatus(context, replica, end)];
    }
    case "succeeded":
    case "released":
      return [withStatus(context, replica, { ...FREED, stage: intent.stage, lastEnd: said })];
    default:
      return [
        withStatus(context, replica, {
          stage: intent.stage,
          address: intent.address ?? status.address,
          ...(intent.stage === "starting" ? unreadyAfter(context, replica, said) : {}),
          ...probeAfter(context, replica, intent),
          // A replica that runs avoids no node any more.
          ...(intent.stage === "starting" || status.rejections === undefined
            ? {}
            : { rejections: undefined }),
        }),
      ];
  }
}

/**
 * A process that begins has been asked nothing; one that was ready is taken back on what a probe
 * found (EV9).
 */
function unreadyAfter(
  { nowMs }: CommitContext,
  { status }: Replica,
  said: string | undefined,
): Pick<ReplicaStatus, "unready"> {
  if (status.stage !== "bound") {
    return said === undefined ? {} : { unready: { said, sinceMs: nowMs } };
  }
  return status.unready === undefined ? {} : { unready: undefined };
}

/**
 * A row of failed probes ends with the one that succeeds, and with the process that was asked
 * (EV10). Every report of the row replaces the one before.
 */
function probeAfter(
  { nowMs }: CommitContext,
  { status }: Replica,
  { stage, probe }: IntentOf<"report">,
): Pick<ReplicaStatus, "failingProbe"> {
  const { failingProbe: known } = status;
  const isOver = stage !== "starting" || status.stage === "bound";
  const said = sentence(probe?.said);
  if (isOver) return known === undefined ? {} : { failingProbe: undefined };
  if (probe === undefined || said === undefined) return {};
  // An agent counts how long it lasts, and cannot place it before the stage in which it began.
  const beganMs = Math.min(nowMs, Math.max(nowMs - (probe.forMs ?? 0), status.stageSinceMs));
  const sinceMs = known?.sinceMs ?? beganMs;
  return { failingProbe: { said, times: probe.times, sinceMs, toldMs: nowMs } };
}

const rejectedBy = ({ status }: Replica, node: string): Pick<ReplicaStatus, "rejections"> => ({
  rejections: withRejection(status.rejections, { node, incarnation: status.incarnation }),
});
