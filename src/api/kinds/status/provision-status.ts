/** How a node of a pool came to be, as it is shown. */
import { Type } from "typebox";
import type { Node } from "../../../core/model/objects.ts";
import { rfc3339Millis } from "../../rfc3339.ts";
import { fields, text, time } from "../../schema/shapes.ts";

export const provisionSchema = fields("How the node was provisioned, if it belongs to a pool.", {
  asked: time("When it was requested."),
  workload: text("The workload that needed it, as namespace/name."),
  accepted: Type.Optional(time("When its provisioner accepted the request.")),
  failed: Type.Optional(text("Why it will not join, or could not be removed.")),
  arrived: Type.Optional(time("When its agent first connected.")),
  scalingDown: Type.Optional(time("Since when it is being scaled down.")),
});

/**
 * How a node is that was asked for and is not there; undefined: it is there, or it was not
 * requested.
 */
export function awaited({
  spec,
  status: { provision },
}: Node): { readonly reason: string; readonly message: string } | undefined {
  if (spec.supply !== "soft" || spec.pool === undefined || provision === undefined) {
    return undefined;
  }
  const { asked, workload, accepted, failed } = provision;
  const what = `from pool ${spec.pool} since ${rfc3339Millis(asked.atMs)}, for ${shownWorkload(workload)}`;
  if (failed !== undefined) {
    return {
      reason: "MachineFailed",
      message: `The node was requested ${what}. It will not join: ${failed}.`,
    };
  }
  return accepted === undefined
    ? {
        reason: "MachineAsked",
        message: `The node is requested ${what}; the provisioner has not answered yet.`,
      }
    : {
        reason: "MachineProvisioning",
        message: `The node is provisioning ${what}; its agent has not connected yet.`,
      };
}

const shownWorkload = (key: string): string => key.slice(key.indexOf("/") + 1);

export function provisionStatus({ status: { provision } }: Node): {
  provision?: Type.Static<typeof provisionSchema>;
} {
  if (provision === undefined) return {};
  const { asked, workload, accepted, failed, arrived, scalingDown } = provision;
  return {
    provision: {
      asked: rfc3339Millis(asked.atMs),
      workload: shownWorkload(workload),
      ...(accepted === undefined ? {} : { accepted: rfc3339Millis(accepted.atMs) }),
      ...(failed === undefined ? {} : { failed }),
      ...(arrived === undefined ? {} : { arrived: rfc3339Millis(arrived.atMs) }),
      ...(scalingDown === undefined ? {} : { scalingDown: rfc3339Millis(scalingDown.atMs) }),
    },
  };
}
