/**
 * What this incident is: the run, the rule that was violated and where, what is missing, how to see
 * it again.
 */
import type { IncidentModel } from "./reading/incident-model.ts";
import { counted } from "../parts/counted.ts";
import { momentText } from "./moment-text.ts";
import { MARK_NAMES, MARK_SHAPES } from "./draw/turn-shapes.ts";
import { TurnMark } from "./turn-mark.tsx";

export function IncidentHeader({ model }: { readonly model: IncidentModel }) {
  const { source, leftOut, turns, lanes, commits } = model.index.document;
  return (
    <header class="incident-header">
      <p class="quiet">
        <strong>{source.title}</strong> · {source.kind} · {counted(turns.length, "turn")} ·{" "}
        {counted(lanes.length, "lane")} · {counted(commits.length, "commit")} · Berth{" "}
        {source.version}
      </p>
      {source.violation && <Violation model={model} />}
      <Points model={model} />
      {leftOut && (
        <p class="incident-left-out">
          {leftOut.turns > 0 && `${counted(leftOut.turns, "turn")} did not fit. `}
          {(leftOut.objects ?? 0) > 0 && `${counted(leftOut.objects ?? 0, "object")} did not fit. `}
          {leftOut.why}
        </p>
      )}
      <div class="incident-foot">
        <Marks model={model} />
        {source.again !== "" && (
          <p class="quiet">
            To reproduce it: <code>{source.again}</code>
          </p>
        )}
      </div>
    </header>
  );
}

function Violation({ model }: { readonly model: IncidentModel }) {
  const { violation } = model.index.document.source;
  if (!violation) return null;
  return (
    <div class="incident-violation">
      <p>
        <TurnMark kind="violate" /> <strong>Rule {violation.rule} was violated.</strong>{" "}
        {violation.text}
      </p>
      <p>
        <button type="button" class="button button-main" onClick={() => model.goToViolation()}>
          Jump to the violated rule
        </button>{" "}
        <span class="quiet">
          The rule is [{violation.rule}] of <code>docs/SPEC.md</code>.
        </span>
      </p>
    </div>
  );
}

/** More would push the lanes off the screen; all marks are listed below them. */
const POINTS_TOLD = 3;

/** From where on waiting would not have helped any more. */
function Points({ model }: { readonly model: IncidentModel }) {
  const { marks, turns, source } = model.index.document;
  const points = marks.filter(({ kind }) => kind === "point");
  if (points.length === 0) return null;
  return (
    <ul class="incident-points" aria-label="Points of no return">
      {points.slice(0, POINTS_TOLD).map(({ turn, text }) => (
        <li key={`${turn} ${text}`}>
          <TurnMark kind="violate" shape={MARK_SHAPES.point} /> <strong>Point of no return</strong>{" "}
          <span class="quiet">
            {momentText(turns[turn]?.atMs ?? 0, source.epochMs ?? undefined)}
          </span>{" "}
          {text}{" "}
          <button type="button" class="button" onClick={() => model.go(turn)}>
            Jump to it
          </button>
        </li>
      ))}
      {points.length > POINTS_TOLD && (
        <li class="quiet">and {points.length - POINTS_TOLD} more: press n for the next mark.</li>
      )}
    </ul>
  );
}

/** A long run may have hundreds; the strip has them all. */
const MAX_MARKS = 60;

function Marks({ model }: { readonly model: IncidentModel }) {
  const { marks, turns, source } = model.index.document;
  if (marks.length === 0) return null;
  return (
    <details class="incident-marks">
      <summary>{counted(marks.length, "mark")}</summary>
      <ol class="incident-links">
        {marks.slice(0, MAX_MARKS).map(({ turn, kind, text }) => (
          <li key={`${turn} ${text}`}>
            <button type="button" class="incident-link" onClick={() => model.go(turn)}>
              <span class="incident-link-turn">
                <TurnMark
                  kind={kind === "fault" ? "fault" : kind === "lead" ? "start" : "violate"}
                  shape={MARK_SHAPES[kind]}
                />{" "}
                <strong>{MARK_NAMES[kind]}</strong>{" "}
                <span class="quiet">
                  {momentText(turns[turn]?.atMs ?? 0, source.epochMs ?? undefined)}
                </span>
              </span>
              <span class="incident-link-text">{text}</span>
            </button>
          </li>
        ))}
      </ol>
      {marks.length > MAX_MARKS && (
        <p class="quiet">and {marks.length - MAX_MARKS} more: press n for the next one.</p>
      )}
    </details>
  );
}
