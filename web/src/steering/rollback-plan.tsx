/**
 * What becomes of decisions of a revision that is rolled back, as `berth policy rollback` prints
 * it.
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  boundUnder,
  budgetLines,
  type Leaving,
  rollbackLines,
} from "../../../src/steering/rollback-plan.ts";
import { whereText } from "./revision-object.ts";
import { type Bound, readBound } from "./read-bound.ts";
import { failureOf } from "../live/api-failure.ts";

export interface RollbackPlanProps {
  readonly leaving: Leaving;
  readonly to: string;
  /** What the revision that is left declares. */
  readonly onRollback: unknown;
}

export function RollbackPlan({ leaving, to, onRollback }: RollbackPlanProps) {
  const bound = useSignal<Bound | undefined>(undefined);
  const trouble = useSignal("");
  useEffect(() => {
    const stop = new AbortController();
    readBound(stop.signal).then(
      (read) => void (bound.value = read),
      (error: unknown) => {
        if (!stop.signal.aborted) trouble.value = failureOf(error).message;
      },
    );
    return () => stop.abort();
  }, []);
  const { policy, from, region } = leaving;
  return (
    <div class="rollback-plan" role="status">
      <p>
        policy/{policy}: from {from} back to {to}, {whereText(region)}
      </p>
      {trouble.value !== "" && <p class="message">Cannot count the bindings: {trouble.value}</p>}
      {bound.value === undefined ? (
        trouble.value === "" && <p aria-busy="true">Counting the bindings under {from}…</p>
      ) : (
        <ul>
          {linesOf(bound.value, leaving, onRollback).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

const linesOf = (bound: Bound, leaving: Leaving, onRollback: unknown): readonly string[] => [
  ...rollbackLines(onRollback, boundUnder(leaving, bound.bindings, bound.regions)),
  ...budgetLines(bound.budgets),
];
