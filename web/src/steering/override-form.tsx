/** The form of a new override: which fields it has follows from what it does, and the command that makes the same is below. */
import type { Signal } from "@preact/signals";
import { OVERRIDE_ACTIONS, TARGETS } from "../../../src/core/model/override.ts";
import type { Acting } from "../parts/acting.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { FormField } from "../parts/form-field.tsx";
import { NameField } from "../parts/name-field.tsx";
import { commandOf, type Draft, fieldsOf, nameOf, withAction } from "./override-draft.ts";
import { EFFECTS } from "./override-words.ts";
import { SelectField } from "./select-field.tsx";

export interface OverrideFormProps {
  readonly acting: Acting;
  readonly draft: Signal<Draft>;
  readonly onName: (name: string) => void;
}

const ABOUT: Readonly<Record<string, string>> = {
  "": "everything",
  region: "a region",
  zone: "a zone, of whichever region",
  "region,zone": "a zone of one region",
  node: "a node",
  tenant: "a tenant",
  "tenant,workload": "a workload",
};

export function OverrideForm({ acting, draft, onName }: OverrideFormProps) {
  const { action, about } = draft.value;
  const set = (change: Partial<Draft>): void => void (draft.value = { ...draft.value, ...change });
  const sets = TARGETS[action].map((fields) => fields.join());
  return (
    <div class="steering-form">
      <SelectField
        label="What it does"
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
          label="To what"
          value={about}
          choices={sets.map((each) => [each, ABOUT[each] ?? each])}
          onChange={(value) => set({ about: value })}
        />
      )}
      <Targets draft={draft.value} set={set} />
      <FormField label="Why (required)" onInput={(reason) => set({ reason })} />
      <div class="field-row">
        <FormField
          label="For how long (required)"
          placeholder="30m, at most 168h"
          value={draft.value.ttl}
          onInput={(ttl) => set({ ttl })}
        />
        <NameField acting={acting} onInput={onName} />
      </div>
      <More draft={draft.value} set={set} />
      <CommandLine text={commandOf(draft.value)} />
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
  workload: "Workload, by its name alone",
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
          label={draft.about === "region" ? "By how many percent" : "By how many replicas"}
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
      <summary>Its name, and what is to be true when it ends</summary>
      <FormField label="Name" placeholder={nameOf(draft)} onInput={(name) => set({ name })} />
      <div class="field-row">
        <FormField
          label="Of this workload…"
          placeholder="none, or payments/api"
          onInput={(serves) => set({ serves })}
        />
        <FormField
          label="…at least so many serve"
          value={draft.serving}
          onInput={(serving) => set({ serving })}
        />
      </div>
    </details>
  );
}
