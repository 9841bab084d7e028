/**
 * What became of a replica: how far it has come, who has its index, and why it is asked to stop.
 */
import type { Replica } from "../../core/model/objects.ts";
import { probeText, replicaReason } from "../kinds/status/stage-reason.ts";
import { evidenceText } from "../kinds/text/evidence-text.ts";
import { type Fact, normal, warning } from "./fact.ts";
import { shortName } from "./short-name.ts";

export function replicaFacts(before: Replica | undefined, after: Replica): readonly Fact[] {
  const was = before?.status;
  const { stage, incarnation } = after.status;
  const isNewIncarnation = was?.incarnation !== incarnation;
  if (!isNewIncarnation && was.stage === stage) return [ofSameStage(was, after)];
  // An incarnation may begin further on than at its first stage, when one commit took both steps.
  const began =
    isNewIncarnation && stage !== "admitted"
      ? [normal("Admitted", incarnationMessage(incarnation))]
      : [];
  return [...began, ofStage(was, after)];
}

function ofSameStage(was: Replica["status"], { key, status }: Replica): Fact {
  const { stopping, superseded } = status;
  const name = shortName(key);
  if (superseded === undefined && was.superseded !== undefined) {
    const message = "It is back and no longer replaced.";
    return normal("Reinstated", message, `restored ${name}`);
  }
  const isReplaced = superseded !== undefined && was.superseded === undefined;
  const replaced = isReplaced ? `replaced ${name}; it may still run` : undefined;
  if (isReplaced && stopping === undefined) {
    const message = `Replaced by another replica; it may still run. ${evidenceText(superseded.evidence)}`;
    return warning("Replaced", message, replaced);
  }
  if (stopping === undefined || was.stopping !== undefined) {
    const { failingProbe } = status;
    if (failingProbe !== undefined && failingProbe.toldMs !== was.failingProbe?.toldMs) {
      const text = probeText(failingProbe);
      const did = `reported the failing probe of ${name}: ${text}`;
      return warning("ProbeFailing", `Not ready on ${status.node ?? ""}: ${text}.`, did);
    }
    return { did: replaced ?? `wrote the status of replica ${name}` };
  }
  const { message } = replicaReason(status);
  const why = message.replace(/^is being stopped: /, "");
  return normal("Stopping", `It ${message}.`, replaced ?? `asked ${name} to stop: ${why}`);
}

const incarnationMessage = (incarnation: number): string => `Starting incarnation ${incarnation}.`;

/** The first is nothing to speak of. */
const ofIncarnation = (incarnation: number): string =>
  incarnation === 1 ? "" : ` for incarnation ${incarnation}`;

function ofStage(was: Replica["status"] | undefined, { key, status }: Replica): Fact {
  const { stage, incarnation, lastEnd, unready, budget } = status;
  const name = shortName(key);
  const where = status.node ?? was?.node ?? "its node";
  const node = status.node ?? was?.node ?? status.lastNode;
  const on = node === undefined ? "" : ` on ${node}`;
  const end = lastEnd === undefined ? "" : `: ${lastEnd}`;
  switch (stage) {
    case "admitted":
      return normal(
        "Admitted",
        incarnationMessage(incarnation),
        `admitted ${name}${ofIncarnation(incarnation)}`,
      );
    case "queued": {
      const message = "Quota is reserved; waiting for a node.";
      return normal("Queued", message, `queued ${name}${ofIncarnation(incarnation)}`);
    }
    case "bound": {
      const message = `Bound to node ${where}${budget === undefined ? "" : ` on recovery budget ${budget}`}.`;
      const paid = budget === undefined ? "" : ` (recovery budget ${budget})`;
      return normal("Bound", message, `placed ${name}${on}${paid}`);
    }
    case "starting": {
      if (unready === undefined || unready.sinceMs === was?.unready?.sinceMs) {
        const message = `Starting its process on ${where}.`;
        return normal("Started", message, `started ${name}${on}`);
      }
      const message = `No longer ready on ${status.node ?? "its node"}: ${unready.said}.`;
      return warning("Unready", message, `reported ${name} no longer ready${on}: ${unready.said}`);
    }
    case "unknown": {
      const message = `${where} is silent; its process may still be running.`;
      return warning(
        "NodeSilent",
        message,
        `marked ${name} unknown: ${node ?? "its node"} is silent`,
      );
    }
    case "failed":
      return warning(
        "Failed",
        `Failed on ${where}${end || "."}`,
        `reported ${name} failed${on}${end}`,
      );
    case "released": {
      const from = node === undefined ? "" : ` from ${node}`;
      return normal("Released", `Gone from ${where}${end || "."}`, `released ${name}${from}`);
    }
    case "ready":
      return normal("Ready", `Ready on ${where}.`, `reported ${name} ready${on}`);
    case "serving":
      return normal("Serving", `Serving on ${where}.`, `reported ${name} serving${on}`);
    case "running":
      return normal("Running", `Running on ${where}.`, `reported ${name} running${on}`);
    case "succeeded":
      return normal("Succeeded", `Succeeded on ${where}.`, `reported ${name} succeeded${on}`);
  }
}
