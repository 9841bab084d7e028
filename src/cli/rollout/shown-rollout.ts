/** What a plane shows of a service's rollout, read with care: an older plane may show less. */
import { listOf, recordOf, type ShownObject, textOf } from "../../steering/api-object.ts";

export interface ShownGeneration {
  readonly generation: number;
  readonly wanted: number;
  readonly ready: number;
  readonly served: boolean;
  /** `starting 1, serving 2` */
  readonly stages: string;
}

export interface ShownPast {
  readonly generation: number;
  readonly since: string;
  readonly served: boolean;
  readonly failed: string;
  readonly template: Readonly<Record<string, unknown>>;
}

export interface ShownRollout {
  readonly replicas: number;
  /** That of the spec's own template. */
  readonly templateGeneration: number;
  /** The generation that is to be everywhere. */
  readonly to: number;
  /** Empty when nothing moves and nothing failed. */
  readonly stage: string;
  readonly reason: string;
  readonly step: number | undefined;
  readonly steps: number;
  readonly isPaused: boolean;
  /** `maxSurge 25% (2), maxUnavailable 1`; empty where the plane does not say. */
  readonly bounds: string;
  readonly generations: readonly ShownGeneration[];
  readonly history: readonly ShownPast[];
}

/** Undefined for what does not roll out: a batch, a gang, another kind. */
export function shownRollout({ spec, status }: ShownObject): ShownRollout | undefined {
  if (!Array.isArray(status?.["generations"])) return undefined;
  const rollout = recordOf(status["rollout"]);
  const templateGeneration = Number(status["templateGeneration"]);
  const desired = recordOf(spec?.["rollout"]);
  return {
    replicas: Number(spec?.["replicas"] ?? 1),
    templateGeneration,
    to: Number(rollout["to"] ?? templateGeneration),
    stage: textOf(rollout["stage"]),
    reason: textOf(rollout["reason"]),
    step: rollout["step"] === undefined ? undefined : Number(rollout["step"]),
    steps: listOf(desired["steps"]).length,
    isPaused: desired["paused"] === true,
    bounds: ["maxSurge", "maxUnavailable"]
      .filter((field) => rollout[field] !== undefined)
      .map((field) => boundText(field, textOf(desired[field]), textOf(rollout[field])))
      .join(", "),
    generations: listOf(status["generations"]).map(recordOf).map(generationOf),
    history: listOf(status["history"]).map(recordOf).map(pastOf),
  };
}

/** A part is shown with what it comes to. */
const boundText = (field: string, said: string, now: string): string =>
  said.endsWith("%") ? `${field} ${said} (${now})` : `${field} ${now}`;

const generationOf = (of: Readonly<Record<string, unknown>>): ShownGeneration => ({
  generation: Number(of["generation"]),
  wanted: Number(of["wanted"]),
  ready: Number(of["readyReplicas"]),
  served: of["served"] === true,
  stages: Object.entries(recordOf(of["stages"]))
    .map(([stage, count]) => `${stage} ${textOf(count)}`)
    .join(", "),
});

const pastOf = (of: Readonly<Record<string, unknown>>): ShownPast => ({
  generation: Number(of["generation"]),
  since: textOf(of["since"]),
  served: of["served"] === true,
  failed: textOf(of["failed"]),
  template: recordOf(of["template"]),
});
