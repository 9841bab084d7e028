/** The capacity arguments of a promise: one for each kind of place that may be lost. */
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Argued, CapacityArguer } from "../capacity/argue-capacity.ts";
import type { CapacityQuestion } from "../capacity/capacity-question.ts";
import { kindOf, type StatedPromise, workloadOfPromise } from "../promise.ts";
import type { CapacityArgument } from "../review.ts";
import { casesOf } from "./failures.ts";

/** Promises that need room; of the others a lack of room is no breach by itself. */
const NEEDS_ROOM: ReadonlySet<string> = new Set(["recover", "headroom", "drains"]);

/** The worst question of a promise, with its answer; a fix is searched for it. */
export interface AskedCapacity {
  readonly argument: CapacityArgument;
  readonly question: CapacityQuestion;
  readonly argued: Argued;
}

export function argueFor(
  arguer: CapacityArguer,
  objects: ObjectIndex,
  promise: StatedPromise,
): AskedCapacity | undefined {
  if (!NEEDS_ROOM.has(kindOf(promise))) return undefined;
  const terms = termsOf(promise);
  const asked = casesOf(objects, promise).flatMap((one): readonly AskedCapacity[] => {
    const lose = one.lose ?? one.drain;
    if (lose === undefined) return [];
    const { which, anyOf } = one;
    const question: CapacityQuestion = {
      lose,
      ...(which === undefined ? {} : { which }),
      ...(anyOf === undefined ? {} : { anyOf }),
      ...terms,
    };
    const argued = arguer.argue(question);
    return [{ argument: argued.argument, question, argued }];
  });
  return worstOf(asked);
}

/** The answer alone. */
export const askCapacity = (
  arguer: CapacityArguer,
  objects: ObjectIndex,
  promise: StatedPromise,
): CapacityArgument | undefined => argueFor(arguer, objects, promise)?.argument;

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
function worstOf(all: readonly AskedCapacity[]): AskedCapacity | undefined {
  const [first] = all.toSorted(
    (a, b) => b.argument.broken - a.argument.broken || missing(b) - missing(a),
  );
  if (first === undefined || all.length === 1) return first;
  const told = all.map(({ argument }) => argument);
  const argument = {
    ...first.argument,
    searched: told.map(({ searched }) => searched).join("; "),
    isProved: told.every(({ isProved }) => isProved),
    failures: told.reduce((sum, { failures }) => sum + failures, 0),
    broken: told.reduce((sum, { broken }) => sum + broken, 0),
  };
  return { ...first, argument };
}

const missing = ({ argument: { worst } }: AskedCapacity): number =>
  worst === undefined ? 0 : worst.replicas - worst.placed;
