/**
 * The way to another template: from where to where, how far, which replicas of which generation are
 * where.
 */
import { countText } from "../../../src/core/model/text/count-text.ts";
import { Badge } from "../parts/badge.tsx";
import { KeyValues } from "../parts/key-values.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { StageBar } from "../parts/stage-bar.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import { askToPause, askToUndo } from "./ask-about-rollout.tsx";
import { lastServed } from "./put-back.ts";
import type { GenerationTally } from "./replica-row.ts";
import { rolloutWay } from "./under-way.ts";
import type { RolloutStep, WorkloadObject } from "./workload-object.ts";
import type { Workload } from "./workload-row.ts";

export interface RolloutCardProps {
  readonly workload: Workload;
  /** Undefined while it is on its way. */
  readonly object: WorkloadObject | undefined;
  /** Of the replicas, once they are here. */
  readonly generations: readonly GenerationTally[] | undefined;
}

/** What a rollout has when its spec does not say. */
const DEFAULT_DEADLINE = "10m";

export function RolloutCard({ workload, object, generations }: RolloutCardProps) {
  const { rollout, wanted } = workload;
  const way = rollout === null ? undefined : rolloutWay(rollout, wanted);
  const { deadline = DEFAULT_DEADLINE, onFailure = "rollback" } = object?.spec.rollout ?? {};
  return (
    <section
      class={way?.tone === "bad" ? "card trouble-card" : "card"}
      aria-labelledby="rollout"
      data-rollout={rollout?.stage ?? "settled"}
    >
      <div class="card-head">
        <h2 id="rollout">Rollout</h2>
        <Actions workload={workload} object={object} />
      </div>
      {way === undefined ? (
        <p>The rollout is complete; the remaining replicas of other generations are stopping.</p>
      ) : (
        <p>
          <StatusWord tone={way.tone}>{way.text}</StatusWord>
          {way.why !== undefined && <span class="message"> {way.why}</span>}
        </p>
      )}
      <Generations
        target={rollout?.to}
        tallies={generations ?? object?.status?.generations ?? []}
        object={object}
      />
      <Steps steps={object?.spec.rollout?.steps ?? []} rollout={rollout} />
      <KeyValues
        items={[
          ["Since", rollout && <RelativeTime key="since" at={rollout.since} />],
          ["Bounds", boundsText(object)],
          [
            "Fails after",
            `${deadline} without progress, and then ${onFailure === "hold" ? "holds" : "rolls back"}`,
          ],
        ]}
      />
    </section>
  );
}

function Actions({ workload, object }: Pick<RolloutCardProps, "workload" | "object">) {
  const { rollout } = workload;
  const past = lastServed(object?.status?.history ?? []);
  return (
    <span class="ways">
      {rollout !== null && (
        <button
          type="button"
          class="button"
          onClick={() => void askToPause(workload, !rollout.paused)}
        >
          {rollout.paused ? "Resume…" : "Pause…"}
        </button>
      )}
      {past !== undefined && (
        <button
          type="button"
          class="button button-danger"
          onClick={() => void askToUndo(workload, past.generation)}
        >
          Undo…
        </button>
      )}
    </span>
  );
}

interface GenerationsProps {
  readonly target: number | undefined;
  readonly tallies: readonly GenerationTally[];
  readonly object: WorkloadObject | undefined;
}

function Generations({ target, tallies, object }: GenerationsProps) {
  const wantedOf = (generation: number): number | undefined =>
    object?.status?.generations?.find((each) => each.generation === generation)?.wanted;
  // Bars of the same length stand for the same number of replicas.
  const most = Math.max(...tallies.map(({ stages }) => sumOf(Object.values(stages))));
  return (
    <ul class="generations" aria-label="Replicas by generation">
      {tallies.map(({ generation, stages }) => (
        <li key={generation}>
          <span>
            <strong>Generation {generation}</strong>{" "}
            {generation === target && <Badge tone="busy">target</Badge>}
            <br />
            <span class="quiet">{wantedOf(generation) ?? 0} desired now</span>
          </span>
          <StageBar counts={stages} whole={most} />
        </li>
      ))}
    </ul>
  );
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, each) => sum + each, 0);

interface StepsProps {
  readonly steps: readonly RolloutStep[];
  readonly rollout: Workload["rollout"];
}

function Steps({ steps, rollout }: StepsProps) {
  if (steps.length === 0 || rollout?.stage !== "rolling") return null;
  const now = rollout.step ?? steps.length + 1;
  return (
    <ol class="steps-of-rollout" aria-label="Steps">
      {steps.map(({ replicas, pause }, at) => {
        const place = at + 1;
        const tone = place < now ? "done" : place === now ? "busy" : "off";
        const word = place < now ? "over" : place === now ? "now" : "not started";
        return (
          <li key={place}>
            <StatusWord tone={tone}>
              {countText(replicas, "replica")}
              {pause !== undefined && `, for ${pause}`}
              {`: ${word}`}
            </StatusWord>
          </li>
        );
      })}
    </ol>
  );
}

function boundsText(object: WorkloadObject | undefined): string | undefined {
  const { maxSurge, maxUnavailable } = object?.status?.rollout ?? {};
  if (maxSurge === undefined || maxUnavailable === undefined) return undefined;
  return `at most ${maxSurge} extra, ${maxUnavailable} unavailable`;
}
