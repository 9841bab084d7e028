/**
 * In what two revisions differ, in the words of `berth policy diff`. Which two is in the address.
 */
import { queryState } from "../app/query-state.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { DifferenceTable } from "./difference-table.tsx";
import { named, type RevisionObject } from "./revision-object.ts";
import { SelectField } from "./select-field.tsx";

const from = queryState("from");
const to = queryState("to");

export function RevisionDiff({ revisions }: { readonly revisions: readonly RevisionObject[] }) {
  const choices = revisions.map(({ metadata: { name } }) => [name, name] as const);
  // Unless somebody says otherwise: what the newest changes.
  const one = named(revisions, from.value) ?? revisions[1];
  const other = named(revisions, to.value) ?? revisions[0];
  if (one === undefined || other === undefined) return null;
  const [before, after] = [one.metadata.name, other.metadata.name];
  return (
    <section class="card" aria-labelledby="differences">
      <h2 id="differences">Compare two revisions</h2>
      <div class="field-row">
        <SelectField
          label="From"
          value={before}
          choices={choices}
          onChange={(name) => void (from.value = name)}
        />
        <SelectField
          label="To"
          value={after}
          choices={choices}
          onChange={(name) => void (to.value = name)}
        />
      </div>
      <DifferenceTable from={one} to={other} />
      <CommandLine text={`berth policy diff ${before} ${after}`} />
    </section>
  );
}
