/** What an agent says of one replica, as a command. */
import type { Address, Replica } from "../model/objects.ts";
import type { OperationId } from "../model/ids.ts";
import type { IntentOf } from "../protocol/command.ts";
import { type Decision, propose } from "../protocol/decision.ts";

export type ReportedStage = IntentOf<"report">["stage"];
export type ReportedHow = Pick<IntentOf<"report">, "reason" | "probe" | "wasStable" | "rejected">;

export function reportOf(of: {
  readonly replica: Replica;
  readonly stage: ReportedStage;
  readonly how: ReportedHow;
  readonly operation: OperationId;
  readonly from: {
    readonly node: string;
    readonly session: number;
    readonly address: Address | undefined;
  };
}): Decision {
  const { replica, stage, how, operation, from } = of;
  const { node, session, address } = from;
  const intent = {
    kind: "report",
    operation,
    replica: replica.key,
    uid: replica.meta.uid,
    incarnation: replica.status.incarnation,
    node,
    session,
    stage,
    ...(address === undefined ? {} : { address }),
    ...how,
  } as const;
  const why = how.reason === undefined ? "" : `: ${how.reason}`;
  return propose([intent], { summary: `the process on ${node} is ${stage}${why}` });
}
