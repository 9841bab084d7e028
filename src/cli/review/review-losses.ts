/** `berth review --lose`: the capacity argument for one kind of loss, and the losses behind it. */
import type { Node } from "../../core/model/objects.ts";
import { domainOf } from "../../core/model/topology.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { CapacityArguer } from "../../review/capacity/argue-capacity.ts";
import { type CapacityQuestion, placesOf } from "../../review/capacity/capacity-question.ts";
import { nodesOf, type Outcome } from "../../review/capacity/outcome-of-loss.ts";
import { findFix } from "../../review/fix/find-fix.ts";
import type { CapacityClass } from "../../review/review.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { ProgressBar, stderrTarget } from "../text/progress-bar.ts";
import { type Loss, LOSSES_SHOWN, reviewText } from "./review-text.ts";

export interface LossOptions {
  readonly lose: string;
  readonly which?: string;
  readonly any?: string;
  readonly counted?: CapacityClass;
  readonly fix?: boolean;
  readonly output?: "table" | "json";
}

const NOT_SHOWN = 3;

export function reviewLosses(
  fleet: { readonly source: string; readonly objects: ObjectIndex },
  options: LossOptions,
  terminal: Terminal,
): void {
  const question = questionOf(fleet.objects, options);
  const arguer = new CapacityArguer(fleet.objects);
  const bar = new ProgressBar(stderrTarget((text) => terminal.err(text)));
  const argued = arguer.argue(question, (done, of, lost) => {
    bar.show(done, of, `losing ${question.lose} ${lost}`);
  });
  const { argument, outcomes } = argued;
  const worst = outcomes.toSorted((a, b) => b.missing - a.missing);
  const losses = worst.map((outcome, at) => {
    bar.show(at, worst.length, "asking what turns the homeless away");
    return lossOf(arguer, outcome, { question, isShown: at < LOSSES_SHOWN });
  });
  const search =
    options.fix === true && argument.broken > 0 ? findFix(arguer, question, argued) : undefined;
  bar.clear();
  const { source } = fleet;
  const { lose } = question;
  terminal.out(
    options.output === "json"
      ? `${JSON.stringify({ source, lose, argument, losses, ...search }, undefined, 2)}\n`
      : reviewText(losses, { lose, source, argument, search }),
  );
  if (argument.broken > 0) terminal.exitCode = 1;
  else if (!argument.isProved) terminal.exitCode = NOT_SHOWN;
}

/** The rules that turn the homeless away are counted for those that a reader sees. */
function lossOf(
  { planner }: CapacityArguer,
  { places, plan }: Outcome,
  { question, isShown }: { readonly question: CapacityQuestion; readonly isShown: boolean },
): Loss {
  const nodes = nodesOf(places);
  const { counted } = question;
  const isAny = plan.homeless.length > 0;
  const { lost, placed, preempted, homeless } =
    isAny && isShown ? planner.plan(nodes, { counted }) : plan;
  const place = places.map(({ name }) => name).join(" and ");
  return { place, nodes: nodes.length, lost, placed, preempted, homeless };
}

function questionOf(
  objects: ObjectIndex,
  { lose, which, any, counted = "hard" }: LossOptions,
): CapacityQuestion {
  const places = placesOf(objects, { lose, ...(which === undefined ? {} : { which }) });
  const nodes = [...objects.all("Node").values()];
  if (places.length === 0) throw noSuchPlace(nodes, { lose, which });
  const question = { lose, counted, ...(which === undefined ? {} : { which }) };
  if (any === undefined) return question;
  const anyOf = Number(any);
  if (!/^\d{1,6}$/.test(any) || anyOf < 1 || anyOf > places.length) {
    throw new UserError(
      "bad-usage",
      `--any is ${any}, and the fleet has ${places.length} of ${lose}: say a number from 1 to that.`,
    );
  }
  return { ...question, anyOf };
}

function noSuchPlace(
  nodes: readonly Node[],
  { lose, which }: { readonly lose: string; readonly which: string | undefined },
): UserError {
  const what =
    which === undefined ? `No node has the label ${lose}` : `There is no ${lose} ${which}`;
  const all = new Set(nodes.flatMap((node) => domainOf(node, lose) ?? []));
  const known = [...all].toSorted().slice(0, 5).join(", ");
  return new UserError(
    "bad-usage",
    known === "" ? `${what}. Say node, zone or region.` : `${what}. There is ${known}.`,
  );
}
