/**
 * The selected turn: what it says, what was decided in it and why, what it changed, what led to it,
 * what came of it.
 */
import { useComputed } from "@preact/signals";
import { type Link, causesOf, effectsOf } from "./reading/causes-of.ts";
import { CommitChanges } from "./commit-changes.tsx";
import { DecisionTable } from "./decision-table.tsx";
import type { IncidentModel } from "./reading/incident-model.ts";
import { exactMomentText, momentText } from "./moment-text.ts";
import { TurnMark } from "./turn-mark.tsx";
import { TURN_SHAPES } from "./draw/turn-shapes.ts";

export function TurnPanel({ model }: { readonly model: IncidentModel }) {
  const { index } = model;
  const { document } = index;
  const at = model.turn.value;
  const turn = document.turns[at];
  const causes = useComputed(() => causesOf(index, model.turn.value));
  const effects = useComputed(() => effectsOf(index, model.turn.value));
  if (!turn) return <section class="incident-card quiet">No turns in this run.</section>;
  const epochMs = document.source.epochMs ?? undefined;
  return (
    <section class="incident-card" aria-labelledby="incident-turn">
      <h2 id="incident-turn">
        <TurnMark kind={turn.what} /> {document.lanes[turn.lane]?.name}{" "}
        {TURN_SHAPES[turn.what].name}
      </h2>
      <p class="quiet">
        <time title={exactMomentText(turn.atMs, epochMs)}>{momentText(turn.atMs, epochMs)}</time> ·
        turn {turn.turn}
        {turn.revision !== undefined && <> · view at revision {turn.revision}</>}
      </p>
      <p class="incident-text">{turn.text}</p>
      {document.marks
        .filter((mark) => mark.turn === at && mark.kind === "point")
        .map(({ text }) => (
          <p key={text} class="incident-point">
            <strong>Point of no return.</strong> {text}
          </p>
        ))}
      {turn.key !== undefined && <AboutKey model={model} of={turn.key} />}
      <CommitChanges model={model} commits={index.commitsOf.get(at) ?? []} />
      <DecisionTable decision={turn.decision} epochMs={epochMs} />
      <Links model={model} title="Causes" links={causes.value} none="None recorded." />
      <Links model={model} title="Effects" links={effects.value} none="None recorded." />
    </section>
  );
}

function AboutKey({ model, of }: { readonly model: IncidentModel; readonly of: string }) {
  const isFiltered = model.place.value.about === of;
  return (
    <p class="incident-key">
      <code>{of}</code>{" "}
      <button
        type="button"
        class="button button-quiet"
        aria-pressed={isFiltered}
        onClick={() => model.filterTo(isFiltered ? undefined : of)}
      >
        {isFiltered ? "Show all objects" : "Show only this object"}
      </button>
    </p>
  );
}

interface LinksProps {
  readonly model: IncidentModel;
  readonly title: string;
  readonly links: readonly Link[];
  readonly none: string;
}

function Links({ model, title, links, none }: LinksProps) {
  return (
    <>
      <h3>{title}</h3>
      {links.length === 0 ? (
        <p class="quiet">{none}</p>
      ) : (
        <ol class="incident-links">
          {links.map((link, at) => (
            <li key={`${link.turn} ${at}`}>
              <LinkLine model={model} link={link} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

const BY: Readonly<Record<Link["by"], string>> = {
  message: "✉",
  commit: "■",
  "same-component": "↳",
};

const BY_NAMES: Readonly<Record<Link["by"], string>> = {
  message: "message",
  commit: "commit",
  "same-component": "same component",
};

function LinkLine({ model, link }: { readonly model: IncidentModel; readonly link: Link }) {
  const { document } = model.index;
  const to = link.turn;
  const turn = to === undefined ? undefined : document.turns[to];
  const by = (
    <span class="incident-by">
      <span aria-hidden="true">{BY[link.by]}</span>{" "}
      <span class={link.by === "same-component" ? "unseen" : ""}>{BY_NAMES[link.by]}</span>{" "}
      {link.what}
    </span>
  );
  if (to === undefined || !turn) {
    return (
      <span class="incident-lost">
        {by} <span aria-hidden="true">┄✕</span> never arrived
      </span>
    );
  }
  return (
    <button type="button" class="incident-link" onClick={() => model.go(to)}>
      {by}
      <span class="incident-link-turn">
        <TurnMark kind={turn.what} /> <strong>{document.lanes[turn.lane]?.name}</strong>{" "}
        <span class="quiet">{momentText(turn.atMs, document.source.epochMs ?? undefined)}</span>
      </span>
      <span class="incident-link-text">{turn.text}</span>
    </button>
  );
}
