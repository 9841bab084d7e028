/** Asks before a budget is granted, extended or withdrawn, and does it as `berth budget` does. The list changes by its stream. */
import { signal } from "@preact/signals";
import {
  amountsText,
  budgetPath,
  RESERVE,
  type ShownReserve,
} from "../../../src/steering/shown-budget.ts";
import { BUDGET_TTL_MS } from "../../../src/core/model/budget.ts";
import { formatDuration, parseDuration } from "../../../src/quantity/duration.ts";
import { confirm } from "../app/confirm.ts";
import { notify } from "../app/notices.ts";
import { deleteJson, getJson, patchJson, postJson } from "../live/api.ts";
import { asking, headersOf, inNameOf } from "../parts/acting.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { FormField } from "../parts/form-field.tsx";
import { NameField } from "../parts/name-field.tsx";
import { budgetOf, emptyBudget, nameOfBudget } from "./budget-draft.ts";
import { BudgetForm } from "./budget-form.tsx";
import { type BudgetObject, budgetsPath } from "./budget-object.ts";

const STRICT = "fieldManager=berth&fieldValidation=Strict";

export async function askGrant(region?: string): Promise<void> {
  await asking(async (acting) => {
    const reserve = await getJson<ShownReserve>(RESERVE);
    const draft = signal(emptyBudget(region));
    let as = acting.name;
    const isDone = await confirm({
      title: "New recovery budget",
      action: "Grant the budget",
      body: (
        <BudgetForm
          acting={acting}
          draft={draft}
          reserve={reserve}
          onName={(name) => void (as = name)}
        />
      ),
      run: () => {
        const headers = headersOf(inNameOf(acting, as));
        return postJson(`${budgetsPath}?${STRICT}`, budgetOf(draft.value, as), { headers });
      },
    });
    if (isDone) notify(`Budget ${nameOfBudget(draft.value, as)} is in force.`, "good");
  });
}

export async function askExtendBudget({ metadata: { name }, status }: BudgetObject): Promise<void> {
  await asking(async (acting) => {
    const more = signal("30m");
    let as = acting.name;
    const isDone = await confirm({
      title: `Extend budget ${name}?`,
      action: "Extend",
      body: (
        <>
          <p>
            Sets a new end, counted from now. A budget lasts at most 168h, extensions included.
            Owner: {status.owner}. Only the owner can extend it.
          </p>
          <NameField acting={acting} onInput={(text) => void (as = text)} />
          <FormField
            label="Duration from now"
            value={more.value}
            isFirst
            onInput={(text) => void (more.value = text)}
          />
          <ExtendCommand name={name} more={more} />
        </>
      ),
      run: () => extend(name, more.value.trim(), headersOf(inNameOf(acting, as))),
    });
    if (isDone) notify(`Budget ${name} is in force for ${more.value.trim()} from now.`, "good");
  });
}

const ExtendCommand = (of: {
  readonly name: string;
  readonly more: { readonly value: string };
}) => (
  <CommandLine text={`berth budget extend ${of.name} --ttl ${of.more.value.trim() || "TTL"}`} />
);

async function extend(
  name: string,
  more: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const path = budgetPath(name);
  const { metadata, status } = await getJson<BudgetObject>(path);
  const moreMs = parseDuration(more);
  // Its time is counted from when it was granted: what has passed of it is part of the whole.
  const passedMs = Math.max(0, Date.now() - Date.parse(status.since));
  const isLong = moreMs !== undefined && moreMs >= BUDGET_TTL_MS.least;
  // What is no duration, or too short, is sent as it was typed: the plane says best what it expects.
  const ttl = isLong ? formatDuration(passedMs + moreMs) : more;
  const { resourceVersion } = metadata;
  await patchJson(
    `${path}?${STRICT}`,
    { metadata: { resourceVersion }, spec: { ttl } },
    { headers },
  );
}

export async function askWithdraw({ metadata: { name } }: BudgetObject): Promise<void> {
  await asking(async (acting) => {
    const budget = await getJson<BudgetObject>(budgetPath(name));
    let as = acting.name;
    const isDone = await confirm({
      title: `Withdraw budget ${name}?`,
      action: "Withdraw",
      isDanger: true,
      body: (
        <>
          <p>{afterwards(budget)}</p>
          <NameField acting={acting} onInput={(text) => void (as = text)} />
          <CommandLine text={`berth budget withdraw ${name}`} />
        </>
      ),
      run: () => deleteJson(budgetPath(name), { headers: headersOf(inNameOf(acting, as)) }),
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
