/** How a node of a pool came to be, as it is shown. */
import { Type } from "typebox";
import type { Node } from "../../../core/model/objects.ts";
import { rfc3339Millis } from "../../rfc3339.ts";
import { fields, text, time } from "../../schema/shapes.ts";

export const provisionSchema = fields("Of a node of a pool: how it came to be.", {
  asked: time("When it was asked for."),
  workload: text("Who waited for it, as namespace/name."),
  accepted: Type.Optional(time("When its provisioner took it on.")),
  failed: Type.Optional(text("Why it will not come, or could not be taken away.")),
  arrived: Type.Optional(time("When its agent first spoke.")),
  retiring: Type.Optional(time("Since when it is being given back.")),
});

/** How a node is that was asked for and is not there; undefined: it is there, or nobody asked. */
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
      message: `A machine was expected ${what}. It will not come: ${failed}.`,
    };
  }
  return accepted === undefined
    ? {
        reason: "MachineAsked",
        message: `A machine is asked for ${what}; who makes it has not answered.`,
      }
    : {
        reason: "MachineExpected",
        message: `A machine is expected ${what}; its agent has not spoken yet.`,
      };
}

const shownWorkload = (key: string): string => key.slice(key.indexOf("/") + 1);

export function provisionStatus({ status: { provision } }: Node): {
  provision?: Type.Static<typeof provisionSchema>;
} {
  if (provision === undefined) return {};
  const { asked, workload, accepted, failed, arrived, retiring } = provision;
  return {
    provision: {
      asked: rfc3339Millis(asked.atMs),
      workload: shownWorkload(workload),
      ...(accepted === undefined ? {} : { accepted: rfc3339Millis(accepted.atMs) }),
      ...(failed === undefined ? {} : { failed }),
      ...(arrived === undefined ? {} : { arrived: rfc3339Millis(arrived.atMs) }),
      ...(retiring === undefined ? {} : { retiring: rfc3339Millis(retiring.atMs) }),
    },
  };
}
