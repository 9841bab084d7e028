/**
 * The form of a new override: which fields it has follows from what it does, and the command that
 * makes the same is below.
 */
import type { Signal } from "@preact/signals";
import { OVERRIDE_ACTIONS, TARGETS } from "../../../src/core/model/override.ts";
import type { Acting } from "../parts/acting.ts";
import { ActingCommand } from "../parts/acting-command.tsx";
import { FormField } from "../parts/form-field.tsx";
import { NameField } from "../parts/name-field.tsx";
import { commandOf, type Draft, fieldsOf, nameOf, withAction } from "./override-draft.ts";
import { EFFECTS } from "./override-words.ts";
import { SelectField } from "./select-field.tsx";

export interface OverrideFormProps {
  readonly acting: Acting;
  readonly draft: Signal<Draft>;
  /** The name to act in, as it is typed. */
  readonly as: Signal<string>;
}

const ABOUT: Readonly<Record<string, string>> = {
  "": "everything",
  region: "a region",
  zone: "a zone, in any region",
  "region,zone": "a zone of one region",
  node: "a node",
  tenant: "a tenant",
  "tenant,workload": "a workload",
};

export function OverrideForm({ acting, draft, as }: OverrideFormProps) {
  const { action, about } = draft.value;
  const set = (change: Partial<Draft>): void => void (draft.value = { ...draft.value, ...change });
  const sets = TARGETS[action].map((fields) => fields.join());
  return (
    <div class="steering-form">
      <SelectField
        label="Action"
        value={action}
        choices={OVERRIDE_ACTIONS.map((each) => [each, each])}
        onChange={(value) => {
          const chosen = OVERRIDE_ACTIONS.find((each) => each === value) ?? action;
          draft.value = withAction(draft.value, chosen);
        }}
      />
      <p class="quiet">{EFFECTS[action]}</p>
      {sets.length > 1 && (
        <SelectField
          label="Target"
          value={about}
          choices={sets.map((each) => [each, ABOUT[each] ?? each])}
          onChange={(value) => set({ about: value })}
        />
      )}
      <Targets draft={draft.value} set={set} />
      <FormField label="Reason (required)" onInput={(reason) => set({ reason })} />
      <div class="field-row">
        <FormField
          label="Duration (required)"
          placeholder="30m, at most 168h"
          value={draft.value.ttl}
          onInput={(ttl) => set({ ttl })}
        />
        <NameField acting={acting} onInput={(name) => void (as.value = name)} />
      </div>
      <More draft={draft.value} set={set} />
      <ActingCommand text={commandOf(draft.value)} acting={acting} as={as} />
    </div>
  );
}

interface PartProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
}

const LABELS = {
  region: "Region",
  zone: "Zone",
  node: "Node",
  tenant: "Tenant",
  workload: "Workload (name without tenant)",
} as const;

function Targets({ draft, set }: PartProps) {
  return (
    <div class="field-row">
      {fieldsOf(draft).map((field) => (
        <FormField
          key={field}
          label={LABELS[field]}
          value={draft.target[field] ?? ""}
          onInput={(text) => set({ target: { ...draft.target, [field]: text } })}
        />
      ))}
      {draft.action === "raise-budget" && (
        <FormField
          label={draft.about === "region" ? "Percent" : "Replicas"}
          value={draft.amount}
          onInput={(amount) => set({ amount })}
        />
      )}
    </div>
  );
}

/** What most people leave as it is. */
function More({ draft, set }: PartProps) {
  return (
    <details>
      <summary>Name and postcondition</summary>
      <FormField label="Name" placeholder={nameOf(draft)} onInput={(name) => set({ name })} />
      <div class="field-row">
        <FormField
          label="Workload of the postcondition"
          placeholder="none, or payments/api"
          onInput={(serves) => set({ serves })}
        />
        <FormField
          label="Minimum serving replicas"
          value={draft.serving}
          onInput={(serving) => set({ serving })}
        />
      </div>
    </details>
  );
}
