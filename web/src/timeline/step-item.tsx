/**
 * One step of a timeline: the cause or the change first, then the actor, and on demand on which
 * view and with what evidence.
 */
import type {
  CommitStep,
  Said,
  Seen,
  Step,
  WaitStep,
} from "../../../src/api/explain/explanation.ts";
import { codeWords, reasonWords, refusalWords } from "../../../src/api/views/wait-words.ts";
import { hrefOf } from "../app/route.ts";
import { hrefWith } from "../app/router.ts";
import { ageText } from "../parts/age-text.ts";
import { Badge } from "../parts/badge.tsx";
import { KeyValues } from "../parts/key-values.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { BecauseDetail } from "./because-detail.tsx";
import { stepTone } from "./step-tone.ts";

export interface StepItemProps {
  readonly step: Step;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

export function StepItem({ step, isOpen, toggle }: StepItemProps) {
  const tone = stepTone(step);
  return (
    <li class={`step step-${tone}`}>
      <div class="step-line">
        <RelativeTime at={step.at} />
        <div class="step-what">
          {step.kind === "commit" ? <Changes step={step} /> : <WaitLine step={step} />}
          <button type="button" class="step-open" aria-expanded={isOpen} onClick={toggle}>
            <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>{" "}
            <Badge tone={tone}>
              {step.kind === "commit" ? codeWords(step.command) : step.kind}
            </Badge>{" "}
            {step.kind === "commit" ? <Actor step={step} /> : step.decided.controller}
          </button>
        </div>
      </div>
      {isOpen && (
        <div class="step-detail">
          {step.kind === "commit" ? (
            <CommitDetail step={step} />
          ) : (
            <SaidDetail said={step.decided} />
          )}
        </div>
      )}
    </li>
  );
}

function Actor({ step: { actor, revision } }: { readonly step: CommitStep }) {
  const role = actor.role === actor.name ? "" : ` (${actor.role})`;
  return (
    <>
      by {actor.name}
      {role} <span class="quiet">revision {revision}</span>
    </>
  );
}

function Changes({ step: { what, others } }: { readonly step: CommitStep }) {
  return (
    <ul class="step-changes">
      {what.map(({ of, says }) => (
        <li key={`${of} ${says}`}>
          <span class="quiet">{of}:</span> {says}
        </li>
      ))}
      {others > 0 && (
        <li class="quiet">{others === 1 ? "and another object" : `and ${others} other objects`}</li>
      )}
    </ul>
  );
}

/** The cause first, then how often and when. */
function WaitLine({ step }: { readonly step: WaitStep }) {
  const { of, reason, times, since, at, decided } = step;
  const summary = decided.because.summary.replace(/\.$/, "");
  const verb = step.kind === "wait" ? "Waited" : "Proposed";
  return (
    <p class="step-changes">
      <strong>{`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`}</strong>{" "}
      <span class="quiet">
        {of}: {reasonWords(reason)}.
        {times > 1 && ` ${verb} ${times} times for the same cause, ${spanText(since, at)}.`}
      </span>
    </p>
  );
}

/** `10:02–10:31`, or one time for both. */
function spanText(since: string, at: string): string {
  const [from, to] = [since, at].map((time) =>
    new Date(time).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" }),
  );
  return from === to ? `at ${from}` : `${from}–${to}`;
}

function CommitDetail({ step }: { readonly step: CommitStep }) {
  const { evidence, decided, operation, epoch, revision, seen } = step;
  return (
    <>
      {evidence !== undefined && (
        <p>
          <Badge tone="bad">evidence</Badge> {evidence.says}
          <span class="quiet">
            {evidence.ageMs !== undefined && ` ${ageText(evidence.ageMs)} old.`} It permits:{" "}
            {evidence.permits}
          </span>
        </p>
      )}
      {decided !== undefined && <SaidDetail said={decided} />}
      <KeyValues
        items={[
          ["Decided on", seenText(seen)],
          ["Operation", <code key="operation">{operation}</code>],
          ["Epoch", epoch],
        ]}
      />
      <p>
        <a href={hrefWith({ revision: String(revision), at: undefined })}>State at this revision</a>
        {" · "}
        <a href={hrefOf("timeline", ["decision", String(revision)])}>This decision</a>
      </p>
    </>
  );
}

function SaidDetail({
  said: { controller, because, seen, attempts, refusals },
}: {
  readonly said: Said;
}) {
  return (
    <>
      <p>
        <strong>{controller}</strong>, on {seenText(seen)}: {because.summary}
      </p>
      <BecauseDetail because={because} />
      {attempts !== undefined && attempts > 1 && <p>Proposed {attempts} times.</p>}
      {refusals !== undefined && (
        <p>
          <Badge tone="bad">rejected</Badge> {refusals.times}×, last {refusalWords(refusals)}.
        </p>
      )}
    </>
  );
}

function seenText({ revision, behind, ageMs }: Seen): string {
  if (behind === 0) return `revision ${revision}, the newest`;
  const age = ageMs === undefined ? "" : ` and ${ageMs} ms`;
  return `revision ${revision}, ${behind} ${behind === 1 ? "commit" : "commits"}${age} behind`;
}
