/**
 * `berth review`: what a fleet can lose, place by place or several at once, so that every replica
 * of what is lost still finds a place elsewhere by Berth's rules. Exits with 1 if some loss leaves
 * a replica without one, and with 3 if not all of them could be searched.
 */
import { type Command, Option } from "commander";
import { indexOf } from "../../fleet/fleet.ts";
import { readFleet } from "../../fleet/fleet-file.ts";
import type { Terminal } from "../main.ts";
import { type LossOptions, reviewLosses } from "../review/review-losses.ts";

interface ReviewOptions extends LossOptions {
  readonly fleet: string;
}

export function registerReview(program: Command, terminal: Terminal): void {
  program
    .command("review")
    .description("check what a fleet can lose and still place all replicas")
    .requiredOption("--fleet <file>", "a fleet that berth import wrote")
    .requiredOption("--lose <places>", "node, zone, region, or a node label such as rack")
    .option("--which <name>", "only this node, zone or region (default: each in turn)")
    .option("--any <count>", "lose so many of them at once, in every combination")
    .addOption(
      new Option(
        "--counted <class>",
        "hard: free and reserved room; reclaimable: also what preemption frees; soft: also nodes that pools may add",
      )
        .choices(["hard", "reclaimable", "soft"])
        .default("hard"),
    )
    .option("--fix", "search the smallest change that makes it hold")
    .addOption(
      new Option("-o, --output <form>", "output format")
        .choices(["table", "json"])
        .default("table"),
    )
    .action((options: ReviewOptions) => review(options, terminal));
}

function review(options: ReviewOptions, terminal: Terminal): void {
  const fleet = readFleet(options.fleet);
  reviewLosses({ source: fleet.source, objects: indexOf(fleet) }, options, terminal);
}
