/**
 * The form of a new budget: how much, where, for whom, why and for how long, with what the reserve
 * has left.
 */
import type { Signal } from "@preact/signals";
import { reserveText, type ShownReserve } from "../../../src/steering/shown-recovery-budget.ts";
import type { Acting } from "../parts/acting.ts";
import { ActingCommand } from "../parts/acting-command.tsx";
import { FormField } from "../parts/form-field.tsx";
import { NameField } from "../parts/name-field.tsx";
import {
  type RecoveryBudgetDraft,
  grantCommand,
  nameOfRecoveryBudget,
} from "./recovery-budget-draft.ts";

export interface RecoveryBudgetFormProps {
  readonly acting: Acting;
  readonly draft: Signal<RecoveryBudgetDraft>;
  readonly reserve: ShownReserve;
  /** The name to act in, as it is typed. */
  readonly as: Signal<string>;
}

export function RecoveryBudgetForm({ acting, draft, reserve, as }: RecoveryBudgetFormProps) {
  const set = (change: Partial<RecoveryBudgetDraft>): void =>
    void (draft.value = { ...draft.value, ...change });
  const { region, ttl } = draft.value;
  return (
    <div class="steering-form">
      <p class="quiet">{reserveText(reserve)}</p>
      <div class="field-row">
        <FormField
          label="Region (required)"
          value={region}
          isFirst={region === ""}
          onInput={(text) => set({ region: text })}
        />
        <FormField
          label="CPU (required)"
          placeholder="8 or 500m"
          isFirst={region !== ""}
          onInput={(cpu) => set({ cpu })}
        />
        <FormField
          label="Memory (required)"
          placeholder="16Gi"
          onInput={(memory) => set({ memory })}
        />
      </div>
      <FormField label="Reason (required)" onInput={(reason) => set({ reason })} />
      <div class="field-row">
        <FormField
          label="Duration (required)"
          placeholder="30m, at most 168h"
          value={ttl}
          onInput={(text) => set({ ttl: text })}
        />
        <NameField acting={acting} onInput={(name) => void (as.value = name)} />
      </div>
      <More draft={draft.value} set={set} owner={acting.name} />
      <ActingCommand text={grantCommand(draft.value)} acting={acting} as={as} />
    </div>
  );
}

interface MoreProps {
  readonly draft: RecoveryBudgetDraft;
  readonly set: (change: Partial<RecoveryBudgetDraft>) => void;
  readonly owner: string;
}

/** What most people leave as it is. */
function More({ draft, set, owner }: MoreProps) {
  return (
    <details>
      <summary>Tenants, classes, devices and name</summary>
      <div class="field-row">
        <FormField
          label="Tenants"
          placeholder="all, or payments, shop"
          onInput={(tenants) => set({ tenants })}
        />
        <FormField
          label="Priority classes"
          placeholder="all, or critical"
          onInput={(classes) => set({ classes })}
        />
        <FormField label="Devices" placeholder="none" onInput={(devices) => set({ devices })} />
        <FormField
          label="Name"
          placeholder={nameOfRecoveryBudget(draft, owner)}
          onInput={(name) => set({ name })}
        />
      </div>
    </details>
  );
}
