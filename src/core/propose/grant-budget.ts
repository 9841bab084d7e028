/**
 * Grants what the policy in force says, while somebody recovers whom it is for (BU3). Observes
 * workloads, budgets, policies and what raises budgets; proposes one budget at a time. Leaves the
 * reserve to the authority, and looks at it first so as not to ask in vain. It is asked once per
 * recovery and region, not once per replica: spending is decided at the binds.
 */
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import {
  recoveryBudgetKey,
  type RecoveryBudgetTerms,
  recoveryBudgetText,
  coversWorkload,
  isClosed,
  isSameGrant,
} from "../model/recovery-budget.ts";
import { type ObjectKey, policyKey } from "../model/ids.ts";
import type { RecoveryBudget, Policy, Workload } from "../model/objects.ts";
import { DEFAULT_POLICY } from "../model/policy.ts";
import { isRecovering } from "../model/recovery.ts";
import {
  allRecoveryBudgets,
  recoveryRules,
  reserveNow,
  reserveOverrun,
} from "../rules/recovery/recovery-budgets-now.ts";
import { RECOVERY_BUDGETS_FACT } from "../observe/facts.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import type { View } from "../observe/view.ts";
import { grantOperation } from "../protocol/operations.ts";

/**
 * What all of it is decided for: one look at a time, so that one grant sees what the one before it
 * took.
 */
const POLICY = policyKey(DEFAULT_POLICY);

/** Wake-ups come from facts; this is for the ones that were lost on the way. */
const PATIENCE_MS = 15_000;

export function createGrantBudget(): Controller {
  const recovering = new Set<ObjectKey>();
  return {
    role: "grant-budget",
    interest: {
      kinds: new Set([
        "Workload",
        "RecoveryBudget",
        "Policy",
        "PolicyRevision",
        "Override",
        "Replica",
      ]),
      node: undefined,
      paidOnly: true,
    },
    follow: ({ key, before, after }) => {
      if ((after ?? before)?.kind !== "Workload") return;
      if (after?.kind === "Workload" && isRecovering(after)) recovering.add(key);
      else recovering.delete(key);
    },
    keysFor,
    allKeys: () => [POLICY],
    reconcile: (_key, view, look) => grantBudget(view, look, recovering),
  };
}

function keysFor({ before, after }: Change, { objects }: View): readonly ObjectKey[] {
  const some = after ?? before;
  switch (some?.kind) {
    case "Workload":
      // Most planes grant nothing, and workloads change all the time.
      return some.spec.recovery === undefined || recoveryRules(objects) === undefined
        ? []
        : [POLICY];
    case "RecoveryBudget":
    case "Policy":
    case "PolicyRevision":
      return [POLICY];
    default:
      return [];
  }
}

interface Due {
  readonly grant: RecoveryBudgetTerms;
  readonly workload: Workload;
}

function grantBudget(view: View, look: Look, recovering: ReadonlySet<ObjectKey>): Decision {
  const { objects } = view;
  const policy = objects.all("Policy").get(POLICY);
  const grants = recoveryRules(objects)?.grants ?? [];
  if (policy === undefined || grants.length === 0) return settled;
  const workloads = [...recovering].toSorted().flatMap((key) => objects.workload(key) ?? []);
  let short: Due | undefined;
  for (const grant of grants) {
    const workload = workloads.find((each) => coversWorkload(grant, each));
    if (workload === undefined || isThere(objects, grant)) continue;
    const due = { grant, workload };
    const next = nextBudget(objects, policy, due);
    const { overrides, budgets } = reserveNow(objects);
    const overrun = reserveOverrun(objects, { overrides, budgets: [...budgets, next.budget] });
    if (overrun === undefined) return propose([next.intent], { summary: next.summary });
    short ??= due;
  }
  if (short === undefined) return settled;
  return wait({
    reason: "recovery-budget",
    wakes: [RECOVERY_BUDGETS_FACT],
    deadlineMs: look.now + PATIENCE_MS,
    because: {
      summary: `${short.workload.key} recovers, and the recovery reserve cannot cover the grant in ${short.grant.region}${heldText(objects)}`,
    },
  });
}

/**
 * One that has passed its end may still be there; whether it is over is for the authority to say,
 * and then it is told.
 */
const isThere = (objects: ObjectIndex, grant: RecoveryBudgetTerms): boolean =>
  allRecoveryBudgets(objects).some(
    (budget) =>
      budget.status.grant !== undefined && !isClosed(budget) && isSameGrant(budget.spec, grant),
  );

function nextBudget(objects: ObjectIndex, policy: Policy, { grant, workload }: Due) {
  let number = (policy.status.granted ?? 0) + 1;
  // People may have taken the name.
  while (objects.get(recoveryBudgetKey(`${grant.region}-${number}`)) !== undefined) number += 1;
  const name = `${grant.region}-${number}`;
  const key = recoveryBudgetKey(name);
  const { namespace, name: of } = workload.meta;
  const spec = { ...grant, reason: `recovery of ${namespace}/${of}` };
  const intent = {
    kind: "put",
    operation: grantOperation(policy, name),
    key,
    desired: { kind: "RecoveryBudget", spec },
    labels: {},
    finalizers: [],
    expect: { revision: 0 },
  } as const;
  const budget = {
    kind: "RecoveryBudget",
    key,
    meta: { name, deletingMs: undefined },
    spec,
  } as RecoveryBudget;
  const summary = `${workload.key} recovers: ${name} is granted in ${grant.region} by policy revision ${policy.spec.active ?? ""}`;
  return { intent, budget, summary };
}

function heldText(objects: ObjectIndex): string {
  const [first, ...others] = allRecoveryBudgets(objects);
  if (first === undefined) return "";
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `: ${recoveryBudgetText(first)}${more} use it`;
}
