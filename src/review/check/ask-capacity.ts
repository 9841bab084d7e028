/** The capacity arguments of a promise: one for each kind of place that may be lost. */
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { CapacityArguer } from "../capacity/argue-capacity.ts";
import type { CapacityQuestion } from "../capacity/capacity-question.ts";
import { kindOf, type StatedPromise, workloadOfPromise } from "../promise.ts";
import type { CapacityArgument } from "../review.ts";
import { casesOf } from "./failures.ts";

/** Promises that need room; of the others a lack of room is no breach by itself. */
const NEEDS_ROOM: ReadonlySet<string> = new Set(["recover", "headroom", "drains"]);

export function askCapacity(
  arguer: CapacityArguer,
  objects: ObjectIndex,
  promise: StatedPromise,
): CapacityArgument | undefined {
  if (!NEEDS_ROOM.has(kindOf(promise))) return undefined;
  const terms = termsOf(promise);
  const asked = casesOf(objects, promise).flatMap((one): readonly CapacityArgument[] => {
    const lose = one.lose ?? one.drain;
    if (lose === undefined) return [];
    const { which, anyOf } = one;
    const question: CapacityQuestion = {
      lose,
      ...(which === undefined ? {} : { which }),
      ...(anyOf === undefined ? {} : { anyOf }),
      ...terms,
    };
    return [arguer.argue(question).argument];
  });
  return worstOf(asked);
}

function termsOf(promise: StatedPromise): Omit<CapacityQuestion, "lose"> {
  const counted = promise.spec.capacity ?? "hard";
  const { recover, headroom } = promise.spec;
  const workload = workloadOfPromise(promise);
  if (workload === undefined) return { counted };
  if (recover?.replicas !== undefined) {
    const where = recover.in === undefined ? {} : { in: recover.in };
    return { counted, serves: { workload, replicas: recover.replicas, ...where } };
  }
  const spare = headroom?.replicas;
  return spare === undefined
    ? { counted, onlyWorkload: workload }
    : { counted, onlyWorkload: workload, spare: { workload, count: spare } };
}

/** The one that says the most against the promise; of several that hold, all that was searched. */
function worstOf(all: readonly CapacityArgument[]): CapacityArgument | undefined {
  const [first] = all.toSorted((a, b) => b.broken - a.broken || missing(b) - missing(a));
  if (first === undefined || all.length === 1) return first;
  return {
    ...first,
    searched: all.map(({ searched }) => searched).join("; "),
    isProved: all.every(({ isProved }) => isProved),
    failures: all.reduce((sum, { failures }) => sum + failures, 0),
    broken: all.reduce((sum, { broken }) => sum + broken, 0),
  };
}

const missing = ({ worst }: CapacityArgument): number =>
  worst === undefined ? 0 : worst.replicas - worst.placed;
