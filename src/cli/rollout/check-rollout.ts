/** Whether a rollout is done, has failed or goes on, and how far it is, in one line. */
import type { ShownGeneration, ShownRollout } from "./shown-rollout.ts";

export interface CheckedRollout {
  readonly state: "going" | "done" | "failed";
  readonly text: string;
}

export function checkRollout(rollout: ShownRollout): CheckedRollout {
  const { stage, reason, replicas, templateGeneration, to } = rollout;
  const far = farText(rollout);
  switch (stage) {
    case "":
      return checkSettled(rollout, far);
    case "held":
      return { state: "failed", text: `failed and was not rolled back: ${reason}; ${far}` };
    case "going-back": {
      const text = `generation ${templateGeneration} failed: ${reason}; rolling back to ${to}: ${far}`;
      return { state: "going", text };
    }
    case "rolled-back": {
      const back = `${allText(replicas)} ${replicas === 1 ? "is" : "are"} rolled back to generation ${to}`;
      return {
        state: "failed",
        text: `generation ${templateGeneration} failed: ${reason}; ${back}`,
      };
    }
    default:
      return { state: "going", text: far };
  }
}

const allText = (replicas: number): string =>
  replicas === 1 ? "its only replica" : `all ${replicas} replicas`;

function checkSettled({ replicas, to, generations }: ShownRollout, far: string): CheckedRollout {
  const ready = generations.find(({ generation }) => generation === to)?.ready ?? 0;
  return ready >= replicas
    ? {
        state: "done",
        text: `${allText(replicas)} ${replicas === 1 ? "serves" : "serve"} generation ${to}`,
      }
    : { state: "going", text: far };
}

/** e.g. "generation 3: 1 of 4 ready (starting 1); generation 2: 3 left; step 1 of 2; paused" */
function farText(rollout: ShownRollout): string {
  const { to, replicas, generations, step, steps, isPaused, bounds } = rollout;
  const target = generations.find(({ generation }) => generation === to);
  const others = generations.filter(({ generation }) => generation !== to);
  return [
    `generation ${to}: ${target?.ready ?? 0} of ${replicas} ready${stagesText(target)}`,
    ...others
      .filter(isLeft)
      .map(({ generation, ready, wanted, stages }) =>
        wanted === 0
          ? `generation ${generation}: ${stages} stopping`
          : `generation ${generation}: ${wanted} left, ${ready} ready`,
      ),
    ...(step === undefined ? [] : [`step ${step} of ${steps}`]),
    ...(isPaused ? ["paused"] : []),
    ...(bounds === "" ? [] : [bounds]),
  ].join("; ");
}

const isLeft = ({ wanted, stages }: ShownGeneration): boolean => wanted > 0 || stages !== "";

const stagesText = (of: ShownGeneration | undefined): string =>
  of === undefined || of.stages === "" ? "" : ` (${of.stages})`;
