/**
 * Every step, newest first, because that is what people come for; the address says which of them is
 * open.
 */
import type { Explanation } from "../../../src/api/explain/explanation.ts";
import { queryState } from "../app/query-state.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { foldWaits } from "./fold-waits.ts";
import { StepItem } from "./step-item.tsx";
import { stepIdOf } from "./step-id.ts";

const order = queryState("order", { fallback: "newest" });
const open = queryState("step");

const toggle = (id: string): void => void (open.value = open.value === id ? "" : id);

export function StepList({ explained }: { readonly explained: Explanation }) {
  const isNewestFirst = order.value === "newest";
  const { record, leftOff } = explained;
  const timeline = foldWaits(explained.timeline);
  const steps = isNewestFirst ? timeline.toReversed() : timeline;
  return (
    <section aria-labelledby="steps">
      <div class="steps-head">
        <h2 id="steps">History</h2>
        <button
          type="button"
          class="button button-quiet"
          onClick={() => void (order.value = isNewestFirst ? "oldest" : "newest")}
        >
          {isNewestFirst ? "Newest first ↓" : "Oldest first ↑"}
        </button>
      </div>
      {steps.length === 0 && (
        <EmptyState title="No history found.">The log starts at a later revision.</EmptyState>
      )}
      <ol class="steps" reversed={isNewestFirst}>
        {steps.map((step) => {
          const id = stepIdOf(step);
          return (
            <StepItem key={id} step={step} isOpen={open.value === id} toggle={() => toggle(id)} />
          );
        })}
      </ol>
      <p class="quiet">
        {leftOff && "Earlier steps are not shown. "}
        {record.says}
      </p>
    </section>
  );
}
