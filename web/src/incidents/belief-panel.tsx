/**
 * Views and committed state: one column for each component that holds the object, and a sign where
 * it is wrong.
 */
import { useComputed, useSignal } from "@preact/signals";
import { type BeliefGroup, beliefGroups } from "./reading/belief-groups.ts";
import type { Belief, Beliefs } from "./reading/beliefs-at.ts";
import type { Cells } from "./reading/incident-index.ts";
import type { IncidentModel } from "./reading/incident-model.ts";
import { counted } from "../parts/counted.ts";
import { lengthText } from "./moment-text.ts";

/** More components than this are put together as far as they hold the same. */
const MANY = 6;

/** A list of choices that is longer is no help: typing narrows it. */
const MAX_CHOICES = 60;

export function BeliefPanel({ model }: { readonly model: IncidentModel }) {
  const beliefs = model.beliefs.value;
  return (
    <section class="incident-card" aria-labelledby="incident-beliefs">
      <h2 id="incident-beliefs">Views and committed state</h2>
      <KeyChoice model={model} />
      {beliefs === undefined ? (
        <p class="quiet">The selected turn has no object. Choose one above.</p>
      ) : (
        <BeliefTable model={model} beliefs={beliefs} />
      )}
    </section>
  );
}

function KeyChoice({ model }: { readonly model: IncidentModel }) {
  const typed = useSignal("");
  const key = model.key.value ?? "";
  const choices = useComputed(() => {
    const words = typed.value.toLowerCase();
    const keys = [...model.index.histories.keys()].toSorted();
    return keys.filter((each) => each.toLowerCase().includes(words)).slice(0, MAX_CHOICES);
  });
  const choose = (text: string): void => {
    typed.value = text;
    if (model.index.histories.has(text)) model.change({ key: text });
  };
  return (
    <div class="incident-choice">
      <label>
        <span class="unseen">Object</span>
        <input
          type="text"
          list="incident-keys"
          spellcheck={false}
          autocomplete="off"
          placeholder="Kind/namespace/name"
          value={key}
          onInput={({ currentTarget }) => choose(currentTarget.value)}
        />
      </label>
      <datalist id="incident-keys">
        {choices.value.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <KeepButton model={model} of={key} />
    </div>
  );
}

function KeepButton({ model, of }: { readonly model: IncidentModel; readonly of: string }) {
  const isPinned = model.place.value.key !== undefined;
  return (
    <button
      type="button"
      class="button"
      aria-pressed={isPinned}
      title={
        isPinned
          ? "Follow the object of the selected turn"
          : "Pin this object while you select other turns"
      }
      disabled={of === ""}
      onClick={() => model.change({ key: isPinned ? undefined : of })}
    >
      {isPinned ? "Unpin this object" : "Pin this object"}
    </button>
  );
}

interface TableProps {
  readonly model: IncidentModel;
  readonly beliefs: Beliefs;
}

function BeliefTable({ model, beliefs }: TableProps) {
  const isApart = useSignal(false);
  const { believed, key } = beliefs;
  const isMany = believed.length > MANY;
  const groups = beliefGroups(believed, isMany && !isApart.value);
  const nameOf = (lane: number): string => model.index.document.lanes[lane]?.name ?? "?";
  return (
    <>
      <p>{sentenceOf(beliefs, nameOf)}</p>
      <div class="incident-wide" role="group" tabIndex={0} aria-label={`Views of ${key}`}>
        <table class="incident-table incident-beliefs">
          <Heads groups={groups} nameOf={nameOf} />
          <tbody>
            <LagRows revision={beliefs.revision} groups={groups} />
            {(beliefs.columns.length === 0 ? [""] : beliefs.columns).map((column) => (
              <FactRow key={column} column={column} truth={beliefs.truth} groups={groups} />
            ))}
          </tbody>
        </table>
      </div>
      {isMany && (
        <button
          type="button"
          class="button"
          aria-pressed={isApart.value}
          onClick={() => void (isApart.value = !isApart.value)}
        >
          one column each
        </button>
      )}
    </>
  );
}

interface HeadsProps {
  readonly groups: readonly BeliefGroup[];
  readonly nameOf: (lane: number) => string;
}

function Heads({ groups, nameOf }: HeadsProps) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span class="unseen">fact</span>
        </th>
        <th scope="col" class="is-truth">
          truth
        </th>
        {groups.map(({ lanes, belief }) => (
          <th
            scope="col"
            key={belief.lane}
            class={belief.wrong.length > 0 ? "is-wrong" : ""}
            title={lanes.map(nameOf).join(", ")}
          >
            {nameOf(belief.lane)}
            {lanes.length > 1 && ` and ${lanes.length - 1} more`}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function LagRows(of: { readonly revision: number; readonly groups: readonly BeliefGroup[] }) {
  return (
    <>
      <tr>
        <th scope="row">revision</th>
        <td class="is-truth">{of.revision}</td>
        {of.groups.map(({ belief }) => (
          <td key={belief.lane}>{belief.revision}</td>
        ))}
      </tr>
      <tr>
        <th scope="row">behind</th>
        <td class="is-truth">–</td>
        {of.groups.map(({ belief }) => (
          <td key={belief.lane}>{lagText(belief)}</td>
        ))}
      </tr>
    </>
  );
}

function FactRow(of: {
  readonly column: string;
  readonly truth: Cells | undefined;
  readonly groups: readonly BeliefGroup[];
}) {
  const { column, truth, groups } = of;
  return (
    <tr>
      <th scope="row">{column}</th>
      <td class="is-truth">{cellText(truth, column)}</td>
      {groups.map(({ belief: { lane, cells, wrong } }) => {
        const isWrong = wrong.includes(column);
        return (
          <td key={lane} class={isWrong ? "is-wrong" : ""}>
            {isWrong && (
              <>
                <span aria-hidden="true">≠ </span>
                <span class="unseen">differs: </span>
              </>
            )}
            {cellText(cells, column)}
          </td>
        );
      })}
    </tr>
  );
}

const cellText = (cells: Cells | undefined, column: string): string =>
  cells === undefined ? "does not exist" : String(cells[column] ?? "–");

function lagText({ behind, behindMs, isBeforeBase, isAstray }: Belief): string {
  const astray = isAstray ? "astray; " : "";
  if (isBeforeBase) return `${astray}older than this document`;
  return behind === 0
    ? `${astray}newest`
    : `${astray}${counted(behind, "commit")}, ${lengthText(behindMs)}`;
}

/** What the table says, in words. */
function sentenceOf(beliefs: Beliefs, nameOf: (lane: number) => string): string {
  const { believed, truth, key } = beliefs;
  const wrong = believed.filter((each) => each.wrong.length > 0);
  const gone = truth === undefined ? `${key} does not exist at this turn. ` : "";
  if (believed.length === 0) return `${gone}No component has a view of it yet.`;
  if (wrong.length === 0) return `${gone}All ${believed.length} views of it match committed state.`;
  const names = wrong
    .slice(0, 4)
    .map(({ lane }) => nameOf(lane))
    .join(", ");
  const more = wrong.length > 4 ? ` and ${wrong.length - 4} more` : "";
  return `${gone}${names}${more} ${wrong.length === 1 ? "believes" : "believe"} something that differs from committed state.`;
}
