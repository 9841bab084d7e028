/** What became of a replica, in words about its actor. */
import type { Replica } from "../../core/model/objects.ts";
import { replicaReason } from "../kinds/status/stage-reason.ts";
import { shortName } from "./short-name.ts";

/** `before` is left out for a replica that was just made. */
export function replicaWords(before: Replica | undefined, after: Replica): string {
  const was = before?.status;
  const { stage, life, stopping, superseded } = after.status;
  const name = shortName(after.key);
  if (was === undefined || was.life !== life || was.stage !== stage) {
    return stageWords(was, after, name);
  }
  if (superseded !== undefined && was.superseded === undefined) {
    return `replaced ${name}; it may still run`;
  }
  if (superseded === undefined && was.superseded !== undefined) return `restored ${name}`;
  if (stopping !== undefined && was.stopping === undefined) {
    const why = replicaReason(after.status).message.replace(/^is being stopped: /, "");
    return `asked ${name} to stop: ${why}`;
  }
  return `wrote the status of replica ${name}`;
}

function stageWords(was: Replica["status"] | undefined, after: Replica, name: string): string {
  const { stage, life, lastEnd, unready, budget } = after.status;
  const node = after.status.node ?? was?.node ?? after.status.lastNode;
  const on = node === undefined ? "" : ` on ${node}`;
  switch (stage) {
    case "admitted":
      return `admitted ${name}${ofLife(life)}`;
    case "queued":
      return `queued ${name}${ofLife(life)}`;
    case "bound":
      return `placed ${name}${on}${budget === undefined ? "" : ` (budget ${budget})`}`;
    case "starting":
      return unready !== undefined && unready.sinceMs !== was?.unready?.sinceMs
        ? `reported ${name} no longer ready${on}: ${unready.said}`
        : `started ${name}${on}`;
    case "unknown":
      return `marked ${name} unknown: ${node ?? "its node"} is silent`;
    case "failed":
      return `reported ${name} failed${on}${lastEnd === undefined ? "" : `: ${lastEnd}`}`;
    case "released":
      return node === undefined ? `released ${name}` : `released ${name} from ${node}`;
    case "ready":
    case "serving":
    case "running":
    case "succeeded":
      return `reported ${name} ${stage}${on}`;
  }
}

/** The first is nothing to speak of. */
const ofLife = (life: number): string => (life === 1 ? "" : ` for incarnation ${life}`);
