/**
 * Asks before a budget is granted, extended or withdrawn, and does it as `berth budget` does. The
 * list changes by its stream.
 */
import { signal } from "@preact/signals";
import {
  amountsText,
  budgetPath,
  RESERVE,
  type ShownReserve,
} from "../../../src/steering/shown-budget.ts";
import { BUDGET_TTL_MS } from "../../../src/core/model/budget.ts";
import { confirm } from "../app/confirm.ts";
import { notify } from "../app/notices.ts";
import { deleteJson, getJson, postJson } from "../live/api.ts";
import { asking, headersOf, inNameOf } from "../parts/acting.ts";
import { ActingCommand } from "../parts/acting-command.tsx";
import { NameField } from "../parts/name-field.tsx";
import { askToExtend, STRICT } from "./ask-extend.tsx";
import { budgetOf, emptyBudget, nameOfBudget } from "./budget-draft.ts";
import { BudgetForm } from "./budget-form.tsx";
import { type BudgetObject, budgetsPath } from "./budget-object.ts";

export async function askGrant(region?: string): Promise<void> {
  await asking(async (acting) => {
    const reserve = await getJson<ShownReserve>(RESERVE);
    const draft = signal(emptyBudget(region));
    const as = signal(acting.name);
    const isDone = await confirm({
      title: "New recovery budget",
      action: "Grant the budget",
      body: <BudgetForm acting={acting} draft={draft} reserve={reserve} as={as} />,
      run: () => {
        const headers = headersOf(inNameOf(acting, as.value));
        return postJson(`${budgetsPath}?${STRICT}`, budgetOf(draft.value, as.value), { headers });
      },
    });
    if (isDone) notify(`Budget ${nameOfBudget(draft.value, as.value)} is in force.`, "good");
  });
}

export const askExtendBudget = ({ metadata: { name }, status }: BudgetObject): Promise<void> =>
  askToExtend({
    noun: "budget",
    name,
    owner: status.owner,
    path: budgetPath(name),
    leastMs: BUDGET_TTL_MS.least,
    stands: `Budget ${name} is in force`,
  });

export async function askWithdraw({ metadata: { name } }: BudgetObject): Promise<void> {
  await asking(async (acting) => {
    const budget = await getJson<BudgetObject>(budgetPath(name));
    const as = signal(acting.name);
    const isDone = await confirm({
      title: `Withdraw budget ${name}?`,
      action: "Withdraw",
      isDanger: true,
      body: (
        <>
          <p>{afterwards(budget)}</p>
          <NameField acting={acting} onInput={(text) => void (as.value = text)} />
          <ActingCommand text={`berth budget withdraw ${name}`} acting={acting} as={as} />
        </>
      ),
      run: () => deleteJson(budgetPath(name), { headers: headersOf(inNameOf(acting, as.value)) }),
    });
    if (isDone) notify(`Budget ${name} was withdrawn.`, "good");
  });
}

/** What becomes of what is spent, and who may do it. */
function afterwards({ status }: BudgetObject): string {
  const { owner, grantedBy, replicaCount, spent } = status;
  const who =
    grantedBy === undefined
      ? `Owner: ${owner}. Only the owner can withdraw it.`
      : `Policy revision ${grantedBy.policyRevision} granted it: any operator may withdraw it.`;
  if (replicaCount === 0) return `It covers no new bindings. ${who}`;
  const stay = replicaCount === 1 ? "Its replica stays" : `Its ${replicaCount} replicas stay`;
  return `It covers no new bindings. ${stay}; ${amountsText(spent)} return to the reserve when they end. ${who}`;
}
