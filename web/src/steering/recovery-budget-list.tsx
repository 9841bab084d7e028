/**
 * The reserve, who waits for a budget at this moment, and every budget that is there, the one that
 * ends next first.
 */
import { useMemo } from "preact/hooks";
import { RESERVE, type ShownReserve } from "../../../src/steering/shown-recovery-budget.ts";
import { useKeys } from "../app/keys.ts";
import { queryState } from "../app/query-state.ts";
import { hrefOf } from "../app/route.ts";
import type { ObjectWatch } from "../live/object-watch.ts";
import { useFetched } from "../live/use-fetched.ts";
import { useObjects, useView } from "../live/use-live.ts";
import { usePaced } from "../live/use-paced.ts";
import type { ViewStream } from "../live/view-stream.ts";
import { Badge } from "../parts/badge.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { LiveGate } from "../parts/live-gate.tsx";
import { readWait } from "../queue/wait-row.ts";
import { askGrant } from "./ask-budget.tsx";
import { RecoveryBudgetCard } from "./recovery-budget-card.tsx";
import { type RecoveryBudgetObject, recoveryBudgetsPath } from "./recovery-budget-object.ts";
import { ReserveCard } from "./reserve-card.tsx";
import { useAgain } from "./use-overrides.ts";

const selected = queryState("budget");

/**
 * The reserve is asked for anew when a budget or the queue changes, and no more often than somebody
 * can read.
 */
const ASK_MS = 500;

export function RecoveryBudgetList() {
  const budgets = useObjects<RecoveryBudgetObject>({ path: recoveryBudgetsPath });
  const queue = useView("queue");
  return (
    <LiveGate stream={budgets} what="the budgets">
      {() => <Granted budgets={budgets} queue={queue} />}
    </LiveGate>
  );
}

interface GrantedProps {
  readonly budgets: ObjectWatch<RecoveryBudgetObject>;
  readonly queue: ViewStream;
}

function Granted({ budgets, queue }: GrantedProps) {
  const version = budgets.rows.version.value;
  const all = useMemo(() => inOrder(budgets.rows.peek().values()), [budgets, version]);
  const turn = usePaced(queue.rows, ASK_MS);
  const waits = useMemo(() => waitsIn(queue), [queue, turn]);
  const reserve = useFetched<ShownReserve>(RESERVE);
  useAgain(reserve, `${version} ${waits.told}`);
  useKeys("Budgets", [{ keys: "n", text: "New budget", run: () => void askGrant() }]);
  if (reserve.failure !== undefined) {
    return (
      <ErrorState
        title="Cannot read the reserve."
        failure={reserve.failure}
        retry={() => reserve.reload()}
      />
    );
  }
  const isBudgeted = reserve.value?.isBudgeted === true;
  return (
    <>
      {reserve.value !== undefined && <ReserveCard reserve={reserve.value} />}
      <Waiting waits={waits.waiting} />
      {isBudgeted && all.length > 0 && (
        <div class="steering-bar">
          <span class="quiet">
            {all.length} {all.length === 1 ? "budget" : "budgets"}
          </span>
          <NewButton />
        </div>
      )}
      {isBudgeted && all.length === 0 && <NoBudget />}
      <ul class="overrides" aria-label="Budgets">
        {all.map((budget) => (
          <RecoveryBudgetCard
            key={budget.metadata.name}
            budget={budget}
            isSelected={budget.metadata.name === selected.value}
          />
        ))}
      </ul>
    </>
  );
}

const NewButton = () => (
  <button type="button" class="button button-main" onClick={() => void askGrant()}>
    New budget…
  </button>
);

const inOrder = (budgets: Iterable<RecoveryBudgetObject>): readonly RecoveryBudgetObject[] =>
  [...budgets].toSorted(
    (a, b) =>
      Date.parse(a.status.until) - Date.parse(b.status.until) ||
      (a.metadata.name < b.metadata.name ? -1 : 1),
  );

type Wait = ReturnType<typeof readWait>;

interface Waits {
  readonly waiting: readonly Wait[];
  /** Changes with whatever may move the reserve: who waits, and when budgets and overrides end. */
  readonly told: string;
}

const ENDS = ["expire-budget", "expire-override"];

function waitsIn({ rows }: ViewStream): Waits {
  const all = [...rows.peek().values()].map(readWait);
  const waiting = all
    .filter(({ reason, owner }) => reason === "recovery-budget" && owner !== "expire-budget")
    .toSorted((a, b) => (a.wait < b.wait ? -1 : 1));
  const ends = all.filter(({ owner }) => ENDS.includes(owner));
  const told = [...waiting, ...ends].map(
    ({ wait, text, deadline }) => `${wait} ${text} ${deadline}`,
  );
  return { waiting, told: told.toSorted().join() };
}

/** Those who have room to come back to, and nothing to spend on it. */
function Waiting({ waits }: { readonly waits: readonly Wait[] }) {
  if (waits.length === 0) return null;
  return (
    <section class="card rollback-plan" aria-label="Waiting for a budget">
      <h2>Waiting for a budget</h2>
      <ul>
        {waits.map(({ wait, subject, text }) => (
          <li key={wait}>
            <Badge tone="wait">recovery-budget</Badge> <Subject name={subject} />: {text}
          </li>
        ))}
      </ul>
      <button type="button" class="button button-main" onClick={() => void askGrant()}>
        Grant a budget…
      </button>
    </section>
  );
}

/** `name` is a key: `Workload/payments/api`. */
function Subject({ name }: { readonly name: string }) {
  const [kind = "", tenant = "", own = ""] = name.split("/");
  if (kind !== "Workload") return <>{name}</>;
  return (
    <a href={hrefOf("workloads", [tenant, own])}>
      {tenant}/{own}
    </a>
  );
}

function NoBudget() {
  return (
    <EmptyState title="There are no budgets.">
      <p>
        A recovery budget lets a service that lost replicas use the recovery reserve: a limited
        amount, in one region, for a limited time. The active policy may grant budgets
        automatically; operators grant them here.
      </p>
      <CommandLine text="berth budget grant eu-west --cpu 8 --memory 16Gi --ttl 30m --reason 'zone c is dark'" />
      <NewButton />
    </EmptyState>
  );
}
