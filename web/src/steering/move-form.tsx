/**
 * Where a policy's pointer is to go, and what that changes: the rules, and on the way back what
 * came of the rules that are left.
 */
import type { Signal } from "@preact/signals";
import { inForce, type ShownPolicy } from "../../../src/steering/shown-policy.ts";
import type { Acting } from "../parts/acting.ts";
import { ActingCommand } from "../parts/acting-command.tsx";
import { FormField } from "../parts/form-field.tsx";
import { NameField } from "../parts/name-field.tsx";
import { DifferenceTable } from "./difference-table.tsx";
import { shellWord } from "../../../src/steering/shell-word.ts";
import { isEarlier, named, type RevisionObject, whereText } from "./revision-object.ts";
import { RollbackPlan } from "./rollback-plan.tsx";
import { SelectField } from "./select-field.tsx";

export interface Move {
  readonly to: string;
  /** Empty: everywhere. */
  readonly region: string;
  readonly reason: string;
  /** It was asked for as a rollback: where to is settled. */
  readonly isBack: boolean;
}

export interface MoveFormProps {
  readonly acting: Acting;
  readonly seen: ShownPolicy;
  readonly move: Signal<Move>;
  readonly revisions: readonly RevisionObject[];
  /** The name to act in, as it is typed. */
  readonly as: Signal<string>;
}

export function MoveForm({ acting, seen, move, revisions, as }: MoveFormProps) {
  const { to, region, isBack } = move.value;
  const set = (change: Partial<Move>): void => void (move.value = { ...move.value, ...change });
  return (
    <div class="steering-form">
      {!isBack && (
        <div class="field-row">
          <SelectField
            label="Revision"
            value={to}
            choices={revisions.map(({ metadata: { name } }) => [name, name])}
            onChange={(value) => set({ to: value })}
          />
          <FormField
            label="Region (optional)"
            placeholder="everywhere, or a region"
            value={region}
            onInput={(text) => set({ region: text })}
          />
        </div>
      )}
      <Preview seen={seen} move={move.value} revisions={revisions} />
      <FormField label="Reason" isFirst onInput={(reason) => set({ reason })} />
      <NameField acting={acting} onInput={(name) => void (as.value = name)} />
      <ActingCommand text={commandOf(seen.name, move.value)} acting={acting} as={as} />
    </div>
  );
}

function commandOf(policy: string, { to, region, reason, isBack }: Move): string {
  const words = isBack ? ["rollback", policy, "--to", to] : ["activate", policy, to];
  const where = region.trim() === "" ? [] : ["--region", region.trim()];
  const why = reason.trim() === "" ? [] : ["--reason", reason.trim()];
  return ["berth policy", ...[...words, ...where, ...why].map(shellWord)].join(" ");
}

function Preview(of: {
  readonly seen: ShownPolicy;
  readonly move: Move;
  readonly revisions: readonly RevisionObject[];
}) {
  const { seen, move, revisions } = of;
  const region = move.region.trim() === "" ? undefined : move.region.trim();
  const from = inForce(seen, region);
  const [left, next] = [named(revisions, from), named(revisions, move.to)];
  return (
    <>
      {isEarlier(revisions, move.to, from) ? (
        <RollbackPlan
          leaving={{ policy: seen.name, from, region }}
          to={move.to}
          onRollback={left?.spec["onRollback"]}
        />
      ) : (
        <p>
          {move.to} becomes active {whereText(region)} and replaces {from || "no revision"}.
          Existing bindings stay; new decisions follow it.
        </p>
      )}
      {left !== undefined && next !== undefined && left !== next && (
        <DifferenceTable from={left} to={next} />
      )}
    </>
  );
}
