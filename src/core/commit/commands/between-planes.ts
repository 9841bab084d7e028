/** The commands of several planes among each other: each is for the plane of one role. */
import type { Intent } from "../../protocol/command.ts";
import type { CommitContext, Verdict } from "../verdict.ts";
import { checkEndLearning } from "./end-learning.ts";
import { checkEndTerm } from "./end-term.ts";
import { checkHear } from "./hear.ts";
import { checkIncarnate } from "./incarnate.ts";
import { checkLend } from "./lend.ts";
import { checkRegionGone } from "./region-gone.ts";
import { checkTakeTerms } from "./take-terms.ts";

type BetweenPlanes = Extract<
  Intent,
  {
    readonly kind:
      | "incarnate"
      | "hear"
      | "lend"
      | "take-terms"
      | "end-term"
      | "end-learning"
      | "region-gone";
  }
>;

export function checkBetweenPlanes(context: CommitContext, intent: BetweenPlanes): Verdict {
  switch (intent.kind) {
    case "incarnate":
      return checkIncarnate(context, intent);
    case "hear":
      return checkHear(context, intent);
    case "lend":
      return checkLend(context, intent);
    case "take-terms":
      return checkTakeTerms(context, intent);
    case "end-term":
      return checkEndTerm(context, intent);
    case "end-learning":
      return checkEndLearning(context, intent);
    case "region-gone":
      return checkRegionGone(context, intent);
  }
}
