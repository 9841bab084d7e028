/**
 * The term of a region is over by its own clock, or was given to an earlier leadership whose clock
 * no one has any more: its rights fall to what is charged (RG12).
 */
import { PLANE_KEY } from "../../model/ids.ts";
import { RENEW_TERM_WITHIN_MS } from "../../model/regional/region-plane.ts";
import type { Term } from "../../model/regional/plane.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { reject } from "../../protocol/rejection.ts";
import { fallenRights } from "../checks/fallen-rights.ts";
import { planeChange, regionalPlane } from "../checks/plane-object.ts";
import type { CommitContext, Verdict } from "../verdict.ts";

export function checkEndTerm(context: CommitContext, intent: IntentOf<"end-term">): Verdict {
  if (context.role !== "end-term") return reject("not-owner", PLANE_KEY, "end-term", context.role);
  const plane = regionalPlane(context);
  if ("code" in plane) return plane;
  const { term } = plane;
  if (term === undefined || plane.ended === true || plane.learning !== undefined) {
    return reject("term-not-over", PLANE_KEY, "a term that has not ended", "none");
  }
  if (term.askedMs !== intent.askedMs || term.epoch !== intent.epoch) {
    return reject("term-not-over", PLANE_KEY, textOf(term), textOf(intent));
  }
  const leftMs = timeLeftMs(context, term);
  if (leftMs > 0) return reject("term-not-over", PLANE_KEY, "its end", `${leftMs} ms left`);
  return [planeChange(context, { ...plane, ended: true }), ...fallenRights(context)];
}

const textOf = ({ epoch, askedMs }: Pick<Term, "epoch" | "askedMs">): string =>
  `asked at ${askedMs} in epoch ${epoch}`;

const timeLeftMs = ({ ledger, nowMs }: CommitContext, { epoch, untilMs }: Term): number =>
  (epoch === ledger.epoch ? untilMs : ledger.leadSinceMs + RENEW_TERM_WITHIN_MS) - nowMs;
