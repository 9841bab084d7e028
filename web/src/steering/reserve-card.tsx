/**
 * Recovery reserve of the policy in force as one bar for each resource: what is spent of budgets,
 * what is granted beside, what is free.
 */
import {
  NO_RESERVE,
  reserveText,
  type ShownReserve,
} from "../../../src/steering/shown-recovery-budget.ts";
import { hrefWith } from "../app/router.ts";
import { cpuText, memoryText } from "../parts/amount-text.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { SegmentBar } from "../parts/segment-bar.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import { amountIn, type Resource, RESOURCES } from "./recovery-budget-object.ts";

export function ReserveCard({ reserve }: { readonly reserve: ShownReserve }) {
  if (!reserve.isBudgeted) {
    return <EmptyState title="Recoveries are not budgeted.">{NO_RESERVE}</EmptyState>;
  }
  const { policyRevision, fairnessWindow } = reserve;
  return (
    <section class="card" aria-labelledby="reserve">
      <h2 id="reserve">Recovery reserve</h2>
      <p>{reserveText(reserve)}</p>
      {reserve.isExceeded && (
        <p>
          <StatusWord tone="wait">
            The budgets exceed the reserve. Existing budgets stay, and no new one is granted until
            they fit again.
          </StatusWord>
        </p>
      )}
      <dl class="reserve">
        {RESOURCES.map((resource) => (
          <ReserveBar key={resource.name} resource={resource} reserve={reserve} />
        ))}
      </dl>
      <p class="quiet">
        A recovery with a budget goes ahead of the normal queue order for {fairnessWindow}.{" "}
        <a href={hrefWith({ tab: "policies" })}>
          {policyRevision === undefined ? "Policies" : `Policy revision ${policyRevision}`} →
        </a>
      </p>
    </section>
  );
}

const wordsOf = ({ name }: Resource, amount: number): string =>
  name === "Memory" ? memoryText(amount) : cpuText(amount);

interface ReserveBarProps {
  readonly resource: Resource;
  readonly reserve: ShownReserve;
}

function ReserveBar({ resource, reserve }: ReserveBarProps) {
  const whole = amountIn(resource, reserve.reserve);
  const granted = amountIn(resource, reserve.granted);
  if (whole === 0 && granted === 0) return null;
  const spent = amountIn(resource, reserve.spent);
  const open = Math.max(0, granted - spent);
  const free = Math.max(0, whole - granted);
  return (
    <div>
      <dt>{resource.name}</dt>
      <dd>
        <SegmentBar
          whole={whole}
          segments={[
            { label: "spent", amount: spent, tone: "busy" },
            { label: "granted, not spent", amount: open, tone: "wait" },
            { label: "free", amount: free, tone: "off" },
          ]}
        />
        <span>
          {wordsOf(resource, spent)} spent, {wordsOf(resource, open)} granted and not spent,{" "}
          {wordsOf(resource, free)} free of {wordsOf(resource, whole)}
        </span>
      </dd>
    </div>
  );
}
