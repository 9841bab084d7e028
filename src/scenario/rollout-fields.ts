/**
 * How a service rolls out, as it stands in a file: `rollout: { maxSurge: 1, maxUnavailable: 0,
 * deadline: 30s }`.
 */
import { isPercentage } from "../core/model/text/percentage.ts";
import {
  DEFAULT_ROLLOUT,
  ROLLOUT_DEADLINE_MAX_MS,
  type RolloutBound,
  type RolloutSpec,
  type RolloutStep,
} from "../core/model/rollout.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import type { Cursor } from "./cursor.ts";

const FIELDS = ["maxSurge", "maxUnavailable", "deadline", "steps", "paused", "onFailure"] as const;

export function readRollout(cursor: Cursor): RolloutSpec {
  const fields = cursor.fields(FIELDS);
  const maxSurge = fields.get("maxSurge", readBound, DEFAULT_ROLLOUT.maxSurge);
  const maxUnavailable = fields.get("maxUnavailable", readBound, DEFAULT_ROLLOUT.maxUnavailable);
  if ([maxSurge, maxUnavailable].every((bound) => Number.parseInt(String(bound), 10) === 0)) {
    cursor.fail("found maxSurge and maxUnavailable of 0; one of them must be 1 or more.");
  }
  const deadlineMs = fields.get("deadline", readDeadline, DEFAULT_ROLLOUT.deadlineMs);
  return {
    maxSurge,
    maxUnavailable,
    deadlineMs,
    ...(fields.has("steps") ? { steps: fields.need("steps").list(readStep) } : {}),
    ...(fields.has("paused") ? { paused: fields.need("paused").boolean() } : {}),
    ...(fields.has("onFailure")
      ? { onFailure: fields.need("onFailure").choice(["rollback", "hold"]) }
      : {}),
  };
}

function readDeadline(cursor: Cursor): number {
  const deadlineMs = cursor.durationMs(1);
  if (deadlineMs > ROLLOUT_DEADLINE_MAX_MS) cursor.expected("a duration of up to 24h");
  return deadlineMs;
}

function readBound(cursor: Cursor): RolloutBound {
  const said = cursor.scalar();
  if (isPercentage(said)) return said;
  if (typeof said === "string") cursor.expected("a whole number or a percentage such as 25%");
  return typeof said === "string" ? 1 : cursor.integer(0);
}

function readStep(cursor: Cursor): RolloutStep {
  const fields = cursor.fields(["replicas", "pause"]);
  return {
    replicas: fields.need("replicas").integer(1),
    ...(fields.has("pause") ? { pauseMs: fields.need("pause").durationMs(0) } : {}),
  };
}

export function plainRollout(rollout: RolloutSpec): PlainFields {
  const { maxSurge, maxUnavailable, deadlineMs, steps, paused, onFailure } = rollout;
  const plain: PlainFields = { maxSurge, maxUnavailable, deadline: formatDuration(deadlineMs) };
  if (steps !== undefined) {
    plain["steps"] = steps.map(({ replicas, pauseMs }) => ({
      replicas,
      ...(pauseMs === undefined ? {} : { pause: formatDuration(pauseMs) }),
    }));
  }
  if (paused !== undefined) plain["paused"] = paused;
  if (onFailure !== undefined) plain["onFailure"] = onFailure;
  return plain;
}
