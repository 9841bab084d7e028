/**
 * Says that the term of a region is over, so that replicas lost there can be replaced within
 * their charges. Observes the plane's own object; proposes `end-term`. Whether it is over is the
 * authority's check (RG12): controllers have no clock to compare with its own (CL1), so a term is
 * counted from when it was seen to begin. One that was there before this controller is asked about
 * now and then.
 */
import { PLANE_KEY } from "../model/ids.ts";
import { RENEW_TERM_WITHIN_MS } from "../model/regional/region-plane.ts";
import type { Term } from "../model/regional/plane.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../model/timing.ts";
import type { View } from "../observe/view.ts";
import type { Change } from "../protocol/commit-record.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { endTermOperation } from "../protocol/operations.ts";
import { regionalOf } from "../rules/regional/term.ts";
import type { Controller } from "../runner/controller.ts";

/** Asked too early by our clock, the authority is asked again, and not all the time. */
const AGAIN_MS = 5_000;

/** How often a term is asked about whose beginning was not seen, in parts of its length. */
const PARTS = 10;

interface Seen {
  readonly term: Term;
  readonly underEpoch: number;
  readonly sinceMs: number;
  /** Its beginning was seen, so its end is known. */
  readonly isWhole: boolean;
  askedMs: number;
}

export function createEndTerm(): Controller {
  const ending = new TermEnding();
  return {
    role: "end-term",
    interest: { kinds: new Set(["Plane"]), node: undefined, onlyWith: "Plane" },
    keysFor: ({ key }: Change) => (key === PLANE_KEY ? [key] : []),
    allKeys: ({ objects }) => (regionalOf(objects.plane) === undefined ? [] : [PLANE_KEY]),
    reconcile: (_key, view, look) => ending.look(view, look),
  };
}

class TermEnding {
  private seen: Seen | undefined;

  look(view: View, look: Look): Decision {
    const plane = regionalOf(view.objects.plane);
    const { term } = plane ?? {};
    const isLasting = plane?.ended !== true && plane?.learning === undefined;
    if (plane === undefined || term === undefined || !isLasting) {
      this.seen = undefined;
      return settled;
    }
    const seen = this.see(term, view, look);
    const dueMs = dueOf(seen);
    const summary = `The term of ${plane.region} is over: its rights fall to what is charged`;
    if (look.now >= dueMs) {
      seen.askedMs = look.now;
      const { askedMs, epoch } = term;
      const operation = endTermOperation(plane, term);
      return propose([{ kind: "end-term", operation, askedMs, epoch }], { summary });
    }
    return wait({
      reason: "region-term",
      wakes: [],
      deadlineMs: dueMs,
      because: { summary: `${plane.region} may take new work into what it was lent` },
    });
  }

  private see(term: Term, { epoch }: View, { now }: Look): Seen {
    const known = this.seen;
    const isSame =
      known?.underEpoch === epoch &&
      known.term.untilMs === term.untilMs &&
      known.term.epoch === term.epoch;
    if (isSame) return known;
    const askedMs = known?.askedMs ?? Number.NEGATIVE_INFINITY;
    const isWhole = known !== undefined && term.epoch === epoch;
    this.seen = { term, underEpoch: epoch, sinceMs: now, isWhole, askedMs };
    return this.seen;
  }
}

function dueOf({ term, underEpoch, sinceMs, isWhole, askedMs }: Seen): number {
  const isOfAnother = term.epoch !== underEpoch;
  const lengthMs = isOfAnother ? RENEW_TERM_WITHIN_MS : term.untilMs - term.askedMs;
  if (isWhole || isOfAnother) {
    const driftMs = Math.ceil((2 * lengthMs * DRIFT_PARTS_PER_THOUSAND) / 1_000);
    return Math.max(sinceMs + lengthMs + driftMs, askedMs + AGAIN_MS);
  }
  return Math.max(sinceMs, askedMs + Math.max(AGAIN_MS, Math.ceil(lengthMs / PARTS)));
}
