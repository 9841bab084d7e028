/**
 * The facts behind decisions about an object of each kind, as words: the columns in which a belief
 * is compared with the truth, in stories as in incident documents.
 */
import type { Amounts } from "../../core/model/amounts.ts";
import type { AnyObject } from "../../core/model/objects.ts";

export const ABSENT = "–";

export type Facts = Readonly<Record<string, string>>;

/**
 * `taken` is the sum over the holders, for kinds that are held; left out where no account is kept.
 */
export function factsOf(object: AnyObject | undefined, taken: Amounts | undefined): Facts {
  if (!object) return {};
  switch (object.kind) {
    case "Replica": {
      const { stage, node, incarnation, session, stopping, budget } = object.status;
      return {
        stage,
        node: node ?? ABSENT,
        incarnation: `${incarnation}`,
        session: `${session}`,
        stopping: stopping?.reason ?? ABSENT,
        ...(budget === undefined ? {} : { budget }),
      };
    }
    case "Node": {
      const { cordons, draining } = object.spec;
      const closed = [
        ...cordons.map(({ holder }) => `cordoned by ${holder}`),
        ...(draining ? ["draining"] : []),
      ];
      return {
        health: object.status.health,
        session: `${object.status.session}`,
        closed: closed.length === 0 ? "no" : closed.join(", "),
        capacity: amountsText(object.spec.capacity),
        ...(taken && { taken: amountsText(taken) }),
      };
    }
    case "Lease":
      return {
        session: `${object.status.session}`,
        seq: `${object.status.seq}`,
        of: `epoch ${object.status.epoch}`,
      };
    case "Quota":
      return {
        limit: amountsText(object.spec.limit),
        ...(taken && { taken: amountsText(taken) }),
      };
    case "Workload":
      return {
        generation: `${object.status.templateGeneration}`,
        replicas: `${object.spec.replicas}`,
        deleting: object.meta.deletingMs === undefined ? "no" : "yes",
      };
    case "Reservation":
      return { owner: object.spec.owner, incarnation: `${object.spec.incarnation}` };
    case "RecoveryBudget":
      return {
        region: object.spec.region,
        amounts: amountsText(object.spec.amounts),
        until: `${object.status.untilMs}`,
        withdrawn: object.meta.deletingMs === undefined ? "no" : "yes",
      };
    // For all others a decision depends on the spec, which its generation identifies.
    default:
      return { generation: `${object.meta.generation}` };
  }
}

function amountsText({ cpuMillis, memoryMiB, deviceMillis }: Amounts): string {
  return `${cpuMillis}m ${memoryMiB}Mi${deviceMillis === 0 ? "" : ` ${devicesText(deviceMillis)} devices`}`;
}

/** e.g. "2" or "500m" */
const devicesText = (millis: number): string =>
  millis % 1000 === 0 ? `${millis / 1000}` : `${millis}m`;
