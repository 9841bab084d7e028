/**
 * The latest evidence about an object, as it is shown: what it is, what it permits, whose word it
 * is and since when. A signal never proves a failure; what it permits is its strength, and no more
 * is done on it.
 */
import type { Evidence } from "../../../core/model/evidence.ts";
import type { NodeStatus, Replica } from "../../../core/model/objects.ts";
import { rfc3339Millis } from "../../rfc3339.ts";
import { fields, text, time } from "../../schema/shapes.ts";
import { evidenceText } from "../text/evidence-text.ts";

export const evidenceSchema = (description: string) =>
  fields(description, {
    kind: text("The kind of evidence."),
    message: text("The evidence, in a sentence."),
    permits: text("The actions that it permits."),
    source: text("Its source."),
    since: time("Since when it holds."),
  });

export interface ShownEvidence {
  readonly kind: string;
  readonly message: string;
  readonly permits: string;
  readonly source: string;
  readonly since: string;
}

const NOTHING = "nothing";

/**
 * How the authority begins what it says of a replica that was lost; all else is the word of an
 * agent.
 */
const LOSS = /^(node-fenced|session-ended|node-vanished|agent-forgot)\b/;

/** Undefined while there is nothing against the node. */
export function nodeEvidence(status: NodeStatus): ShownEvidence | undefined {
  const { evidence, healthSinceMs } = status;
  if (evidence === undefined) return undefined;
  return {
    kind: evidence.kind,
    message: evidenceText(evidence),
    permits: nodePermits(status, evidence),
    source: evidence.kind === "person" ? evidence.name : "the authority's clock",
    since: rfc3339Millis(healthSinceMs),
  };
}

function nodePermits({ health }: NodeStatus, { kind }: Evidence): string {
  switch (health) {
    case "ready":
      return NOTHING;
    case "suspect":
      return "placing no new work";
    case "unknown":
      return "showing its replicas as unknown; nothing is released or replaced";
    case "fenced":
      return kind === "person"
        ? "releasing all its replicas"
        : "releasing the replicas that stop when disconnected; replacing those that keep running after replaceAfter";
  }
}

/** The latest evidence about the replica itself; evidence about its node is with the node. */
export function replicaEvidence({ status }: Replica): ShownEvidence | undefined {
  const { stage, stageSinceMs, node, lastNode, lastEnd, superseded } = status;
  const where = node ?? lastNode ?? "its node";
  const agent = `agent:${where}`;
  const since = rfc3339Millis(stageSinceMs);
  if (superseded !== undefined) {
    return {
      kind: superseded.evidence.kind,
      message: evidenceText(superseded.evidence),
      permits: "replacing it; it keeps its node and its quota",
      source: "the authority's clock",
      since: rfc3339Millis(superseded.sinceMs),
    };
  }
  switch (stage) {
    case "starting":
    case "ready":
    case "serving":
    case "running": {
      const message = `The agent of ${where} reported it ${stage}.`;
      return { kind: "report", message, permits: NOTHING, source: agent, since };
    }
    case "unknown": {
      const message = `${where} is silent; its process may still be running.`;
      const permits = "nothing before its node is fenced";
      return { kind: "node-silent", message, permits, source: "the authority's clock", since };
    }
    case "failed":
    case "succeeded":
    case "released": {
      if (lastEnd === undefined) return undefined;
      const isLoss = LOSS.exec(lastEnd)?.[1];
      const kind = isLoss ?? "process-exit";
      const source = isLoss === undefined ? agent : "the authority";
      return { kind, message: lastEnd, permits: "restarting it", source, since };
    }
    default:
      return undefined;
  }
}

/** What the last probe found that took it out of ready, in this incarnation. */
export function probeEvidence({ status }: Replica): ShownEvidence | undefined {
  const { unready, stage, node, lastNode } = status;
  if (unready === undefined) return undefined;
  const isStill = stage === "starting";
  return {
    kind: "probe",
    message: `A probe failed: ${unready.said}.`,
    permits: isStill ? "sending it no requests; its process stays" : NOTHING,
    source: `agent:${node ?? lastNode ?? ""}`,
    since: rfc3339Millis(unready.sinceMs),
  };
}
