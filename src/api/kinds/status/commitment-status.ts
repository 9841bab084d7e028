/**
 * How a promise stands, as it is shown. The server of the objects checks it beside them and without
 * a commit, so views of an object ask there.
 */
import { Type } from "typebox";
import type { Commitment } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { PROMISE_LIMITS } from "../../../promises/promise-limits.ts";
import type { PromiseStanding } from "../../../promises/promise-standing.ts";
import { rfc3339Millis } from "../../rfc3339.ts";
import { fields, text, time, wholeNumber } from "../../schema/shapes.ts";

const REVISIONS = { from: 0, to: Number.MAX_SAFE_INTEGER } as const;

export const commitmentStatus = fields(
  "How the promise stands, as checked by the plane that answers. It changes without a new resourceVersion.",
  {
    verdict: Type.Optional(
      text("holds, breached, or not-shown: nothing broke it and the evidence does not suffice."),
    ),
    reason: Type.Optional(text("The cause, in one sentence.")),
    since: Type.Optional(time("When the verdict became this one.")),
    checked: Type.Optional(time("When it was last checked.")),
    expires: Type.Optional(time("When the verdict ends if the fleet has changed since.")),
    revision: Type.Optional(wholeNumber("The revision of the fleet that it is about.", REVISIONS)),
    fleet: Type.Optional(text("The hash of that fleet.")),
    fix: Type.Optional(text("The smallest change that was found to make it hold.")),
    history: Type.Optional(
      Type.Array(
        fields("An earlier verdict.", {
          verdict: text("The verdict."),
          reason: text("The cause."),
          since: time("When it began."),
        }),
        { description: "Earlier verdicts, the latest first." },
      ),
    ),
  },
);

type StandingReader = (commitment: Commitment) => PromiseStanding | undefined;

const readers = new WeakMap<ObjectIndex, StandingReader>();

/** The server of these objects checks their promises, too. */
export function readPromisesWith(objects: ObjectIndex, reader: StandingReader): void {
  readers.set(objects, reader);
}

/** Undefined where it is not checked, or not yet. */
export const standingOf = (
  commitment: Commitment,
  objects: ObjectIndex,
): PromiseStanding | undefined => readers.get(objects)?.(commitment);

export function writeCommitmentStatus(
  standing: PromiseStanding | undefined,
): Type.Static<typeof commitmentStatus> {
  if (standing === undefined) return {};
  const { verdict, reason, sinceMs, checkedMs, revision, fleet, fix, history } = standing;
  return {
    verdict,
    reason,
    since: rfc3339Millis(sinceMs),
    checked: rfc3339Millis(checkedMs),
    expires: rfc3339Millis(checkedMs + PROMISE_LIMITS.staleMs.value),
    revision,
    ...(fleet === "" ? {} : { fleet }),
    ...(fix === undefined ? {} : { fix: fix.change }),
    history: history.map((past) => ({
      verdict: past.verdict,
      reason: past.reason,
      since: rfc3339Millis(past.atMs),
    })),
  };
}
