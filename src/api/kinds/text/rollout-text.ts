/** How a service rolls out, as it is written in a spec. */
import { Type } from "typebox";
import { LOAD_LIMITS } from "../../../core/model/limits/load-limits.ts";
import type { WorkloadSpec } from "../../../core/model/objects.ts";
import { isPercentage, percentsOf } from "../../../core/model/text/percentage.ts";
import {
  DEFAULT_ROLLOUT,
  ROLLOUT_STEPS_MAX,
  type RolloutSpec,
  type RolloutStep,
} from "../../../core/model/rollout.ts";
import { formatDuration } from "../../../quantity/duration.ts";
import {
  AT_ONCE_OR_WITHIN_A_DAY,
  choice,
  countOrPart,
  duration,
  fields,
  flag,
  wholeNumber,
  WITHIN_A_DAY,
} from "../../schema/shapes.ts";
import type { SpecReader } from "../spec-reader.ts";

/** As many as there may be replicas. */
const MOST = LOAD_LIMITS.workloadReplicas.value;

const DEFAULT_DEADLINE = formatDuration(DEFAULT_ROLLOUT.deadlineMs);

const step = fields("A step of the rollout.", {
  replicas: wholeNumber("The number of replicas of the new template in this step.", {
    from: 1,
    to: MOST,
  }),
  pause: Type.Optional(
    duration(
      "How long they must serve before the next step, such as 2m.",
      AT_ONCE_OR_WITHIN_A_DAY,
      "0s",
    ),
  ),
});

export const rolloutFields = fields(
  "How a service rolls out a changed template. Gangs and batches replace all replicas at once.",
  {
    maxSurge: Type.Optional(
      countOrPart(
        "The maximum number of replicas beyond spec.replicas; a percentage of spec.replicas is rounded up.",
        { to: MOST, byDefault: DEFAULT_ROLLOUT.maxSurge },
      ),
    ),
    maxUnavailable: Type.Optional(
      countOrPart(
        "The maximum number of spec.replicas that may be unavailable; a percentage, at most 100%, is rounded down.",
        { to: MOST, byDefault: DEFAULT_ROLLOUT.maxUnavailable },
      ),
    ),
    deadline: Type.Optional(
      duration(
        "How long it may go without progress before it fails.",
        WITHIN_A_DAY,
        DEFAULT_DEADLINE,
      ),
    ),
    steps: Type.Optional(
      Type.Array(step, {
        maxItems: ROLLOUT_STEPS_MAX,
        description: "The steps, each with more replicas than the one before.",
      }),
    ),
    paused: Type.Optional(
      flag("True: the rollout starts and stops no replicas, except for a rollback."),
    ),
    onFailure: Type.Optional(
      choice(
        "What happens if it fails: roll back to the last template that served, or hold.",
        ["rollback", "hold"],
        "rollback",
      ),
    ),
  },
);

type RolloutText = Type.Static<typeof rolloutFields>;

export function readRollout(
  { rollout, type, gang }: { rollout?: RolloutText; type?: string; gang?: unknown },
  reader: SpecReader,
): RolloutSpec | undefined {
  if (rollout === undefined) return undefined;
  if (type === "batch" || gang !== undefined) {
    const found = type === "batch" ? "a batch" : "a gang";
    reader.mistake("spec.rollout", `found on ${found}; expected on a service without gang.`);
  }
  const { maxSurge = DEFAULT_ROLLOUT.maxSurge, maxUnavailable = DEFAULT_ROLLOUT.maxUnavailable } =
    rollout;
  checkBounds({ maxSurge, maxUnavailable }, reader);
  const { deadline = DEFAULT_DEADLINE, steps, paused, onFailure } = rollout;
  return {
    maxSurge,
    maxUnavailable,
    deadlineMs: reader.durationMs("spec.rollout.deadline", deadline, WITHIN_A_DAY),
    ...(steps === undefined || steps.length === 0 ? {} : { steps: readSteps(steps, reader) }),
    ...(paused === true ? { paused } : {}),
    ...(onFailure === "hold" ? { onFailure } : {}),
  };
}

function checkBounds(
  { maxSurge, maxUnavailable }: Pick<RolloutSpec, "maxSurge" | "maxUnavailable">,
  reader: SpecReader,
): void {
  if (isPercentage(maxUnavailable) && percentsOf(maxUnavailable) > 100) {
    const message = `found "${maxUnavailable}"; expected at most 100%.`;
    reader.mistake("spec.rollout.maxUnavailable", message);
  }
  if ([maxSurge, maxUnavailable].every((bound) => Number.parseInt(String(bound), 10) === 0)) {
    const message = `found ${maxSurge} with maxUnavailable ${maxUnavailable}; expected 1 or more of one of them.`;
    reader.mistake("spec.rollout.maxSurge", message);
  }
}

function readSteps(
  steps: NonNullable<RolloutText["steps"]>,
  reader: SpecReader,
): readonly RolloutStep[] {
  return steps.map(({ replicas, pause }, at) => {
    const field = `spec.rollout.steps[${at}]`;
    const before = steps[at - 1]?.replicas ?? 0;
    if (replicas <= before) {
      reader.mistake(`${field}.replicas`, `found ${replicas}; expected more than ${before}.`);
    }
    if (pause === undefined) return { replicas };
    return {
      replicas,
      pauseMs: reader.durationMs(`${field}.pause`, pause, AT_ONCE_OR_WITHIN_A_DAY),
    };
  });
}

export function writeRollout({ rollout }: WorkloadSpec): { rollout?: RolloutText } {
  if (rollout === undefined) return {};
  const { maxSurge, maxUnavailable, deadlineMs, steps, paused, onFailure } = rollout;
  return {
    rollout: {
      maxSurge,
      maxUnavailable,
      deadline: formatDuration(deadlineMs),
      ...(steps === undefined ? {} : { steps: steps.map(writeStep) }),
      ...(paused === undefined ? {} : { paused }),
      ...(onFailure === undefined ? {} : { onFailure }),
    },
  };
}

const writeStep = ({ replicas, pauseMs }: RolloutStep) => ({
  replicas,
  ...(pauseMs === undefined ? {} : { pause: formatDuration(pauseMs) }),
});
