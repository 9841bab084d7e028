/**
 * What is kept for the recovery of a service, what is under way, and how the last recovery went.
 */
import { partText } from "../../../core/model/text/count-text.ts";
import { roomOf } from "../../../core/model/reservation.ts";
import { Type } from "typebox";
import type { Workload } from "../../../core/model/objects.ts";
import { RECOVERY_STAGES, type RecoveryStage, type SpentMs } from "../../../core/model/recovery.ts";
import { holdsNode } from "../../../core/model/stage.ts";
import { recoveryRules } from "../../../core/rules/recovery/recovery-budgets-now.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { lookAtSpares, spareNeed } from "../../../core/rules/recovery/spare-rooms.ts";
import { planSpares } from "../../../core/propose/recovery/plan-spares.ts";
import { formatDuration } from "../../../quantity/duration.ts";
import { rfc3339 } from "../../rfc3339.ts";
import { choice, fields, text, time } from "../../schema/shapes.ts";
import type { Condition } from "./condition.ts";

const spentFields = fields(
  "The time that it waited in each stage.",
  Object.fromEntries(RECOVERY_STAGES.map((stage) => [stage, Type.Optional(text(`In ${stage}.`))])),
);

const stageText = (description: string) => choice(description, RECOVERY_STAGES);

export const recoveryStatusFields = {
  recovery: Type.Optional(
    fields("The state of the recovery objective.", {
      reserved: text("Replicas with recovery reserve, of those that need it, such as 3/4."),
      rooms: Type.Array(Type.String(), { description: "The nodes with the reserve." }),
      budgets: Type.Optional(
        Type.Array(Type.String(), {
          description: "The recovery budgets that its replicas use. Absent: none.",
        }),
      ),
      current: Type.Optional(
        fields("The recovery in progress.", {
          began: time("When the loss was noticed."),
          deadline: time("Its deadline."),
          lost: Type.Integer({ description: "The maximum number missing at once." }),
          stage: stageText("The stage of the replica that it waits for."),
          spent: spentFields,
          missed: Type.Optional(stageText("Set if it is late: the stage that took longest.")),
          goesFirst: Type.Optional(
            Type.Boolean({
              description:
                "Set if recoveries need a budget: whether it goes ahead of the normal queue order. False after the fairness window.",
            }),
          ),
        }),
      ),
      last: Type.Optional(
        fields("The last finished recovery.", {
          began: time("When the loss was noticed."),
          took: text("How long it took."),
          lost: Type.Integer({ description: "The maximum number missing at once." }),
          spent: spentFields,
          missed: Type.Optional(stageText("Set if it was late: the stage that took longest.")),
        }),
      ),
    }),
  ),
};

const shape = fields("", recoveryStatusFields);
type RecoveryStatusText = Type.Static<typeof shape>;

const missedIn = (stage: RecoveryStage | undefined): { missed?: RecoveryStage } =>
  stage === undefined ? {} : { missed: stage };

export function writeRecoveryStatus(workload: Workload, objects: ObjectIndex): RecoveryStatusText {
  const { recovery: objective } = workload.spec;
  if (objective === undefined) return {};
  const { under, last } = workload.status.recovery ?? {};
  const { useful } = lookAtSpares(objects, workload);
  return {
    recovery: {
      reserved: reservedText(workload, objects),
      rooms: useful.map(({ spec }) => roomOf(spec)?.node ?? ""),
      ...budgetsSpent(workload, objects),
      ...(under === undefined
        ? {}
        : {
            current: {
              began: rfc3339(under.beganMs),
              deadline: rfc3339(under.beganMs + objective.withinMs),
              lost: under.lost,
              stage: under.stage,
              spent: writeSpent(under.spentMs),
              ...missedIn(under.missed),
              ...(recoveryRules(objects) === undefined
                ? {}
                : { goesFirst: under.inTurn === undefined }),
            },
          }),
      ...(last === undefined
        ? {}
        : {
            last: {
              began: rfc3339(last.beganMs),
              took: formatDuration(last.tookMs),
              lost: last.lost,
              spent: writeSpent(last.spentMs),
              ...missedIn(last.missed),
            },
          }),
    },
  };
}

/** In their order, each once. */
function budgetsSpent(workload: Workload, objects: ObjectIndex): { budgets?: string[] } {
  const names = new Set<string>();
  // Only where there are budgets is anybody asked.
  if (objects.all("RecoveryBudget").size === 0) return {};
  for (const { status } of objects.replicasOf(workload.key).values()) {
    if (status.budget !== undefined && holdsNode(status.stage)) names.add(status.budget);
  }
  return names.size === 0 ? {} : { budgets: [...names].toSorted() };
}

const writeSpent = (spentMs: SpentMs): Record<string, string> =>
  Object.fromEntries(
    RECOVERY_STAGES.flatMap((stage) => {
      const ms = spentMs[stage];
      return ms === undefined ? [] : [[stage, formatDuration(ms)]];
    }),
  );

const reservedText = (workload: Workload, objects: ObjectIndex): string => {
  const { reserved, needed } = reservedRooms(workload, objects);
  return `${reserved}/${needed}`;
};

/** For how many replicas room is kept, of those that need it. */
export function reservedRooms(
  workload: Workload,
  objects: ObjectIndex,
): { readonly reserved: number; readonly needed: number } {
  const { useful } = lookAtSpares(objects, workload);
  const { need: needed } = spareNeed(objects, workload);
  return { reserved: Math.min(useful.length, needed), needed };
}

/**
 * `5m 2/2`, with `queued` or `late: queued` while something was lost. Empty without an objective.
 */
export function recoveryText(workload: Workload, objects: ObjectIndex): string {
  const { recovery: objective } = workload.spec;
  if (objective === undefined) return "";
  const { under } = workload.status.recovery ?? {};
  const now =
    under === undefined ? "" : ` ${under.missed === undefined ? "" : "late: "}${under.stage}`;
  return `${formatDuration(objective.withinMs)} ${reservedText(workload, objects)}${now}`;
}

/** `RecoveryReserved`, and whether lost replicas are or were back in time. */
export function recoveryConditions(workload: Workload, objects: ObjectIndex): readonly Condition[] {
  const { recovery: objective } = workload.spec;
  if (objective === undefined) return [];
  return [reservedCondition(workload, objects), inTimeCondition(workload)];
}

function reservedCondition(workload: Workload, objects: ObjectIndex): Condition {
  const { meta, spec } = workload;
  const { need } = spareNeed(objects, workload);
  const plan = planSpares(objects, workload, new Set());
  const kept = plan.covered - plan.rooms.length;
  const isWhole = kept >= need;
  const where = (spec.recovery?.regions ?? []).join(", ");
  const message = `Headroom is reserved for ${partText(kept, need, "replica")} in ${where}${isWhole ? "" : `; ${whyShort(plan)}`}.`;
  return {
    type: "RecoveryReserved",
    status: isWhole ? "True" : "False",
    reason: isWhole ? "RoomKept" : "RoomMissing",
    message,
    sinceMs: meta.createdMs,
  };
}

/** What the nodes say that have no room, the most frequent first. */
function whyShort({ rejected, rooms }: ReturnType<typeof planSpares>): string {
  if (rooms.length > 0) return `${rooms.length} more are being reserved`;
  const reasons = Object.entries(rejected).toSorted(
    ([a, { count: of }], [b, { count: than }]) => than - of || (a < b ? -1 : 1),
  );
  if (reasons.length === 0) return "the rest wait for quota";
  const counts = reasons.map(([rule, { count, example }]) => `${count} ${rule} (${example})`);
  return `nodes without headroom: ${counts.join(", ")}`;
}

export function inTimeCondition({ meta, spec, status }: Workload): Condition {
  const { under, last } = status.recovery ?? {};
  const within = formatDuration(spec.recovery?.withinMs ?? 0);
  const type = "RecoveryInTime";
  if (under !== undefined) {
    const { beganMs: sinceMs, lost, stage, missed } = under;
    const what = `${lost} lost, waiting for ${stage}`;
    return missed === undefined
      ? {
          type,
          status: "Unknown",
          reason: "Recovering",
          message: `${what}, within ${within}.`,
          sinceMs,
        }
      : {
          type,
          status: "False",
          reason: "RecoveryMissed",
          message: `${what}; ${within} have passed, most of it in ${missed}.`,
          sinceMs,
        };
  }
  if (last === undefined) {
    const message = "No replica was lost so far.";
    return { type, status: "True", reason: "NothingLost", message, sinceMs: meta.createdMs };
  }
  const took = `The last recovery took ${formatDuration(last.tookMs)} of ${within}`;
  const sinceMs = last.beganMs + last.tookMs;
  return last.missed === undefined
    ? { type, status: "True", reason: "Recovered", message: `${took}.`, sinceMs }
    : {
        type,
        status: "False",
        reason: "RecoveryMissed",
        message: `${took}, most of it in ${last.missed}.`,
        sinceMs,
      };
}
