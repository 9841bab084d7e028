/** `berth review init`: proposes promises for a fleet, with what it does today as their figures. */
import type { Command } from "commander";
import { proposePromises } from "../../review/propose-promises.ts";
import type { Terminal } from "../main.ts";
import { writeOutput } from "../write-output.ts";
import { addServerOptions } from "../client/server-options.ts";
import { type FleetOptions, profileOf, readFleetOf } from "./read-fleet-of.ts";

interface InitOptions extends FleetOptions {
  readonly out?: string;
}

export function registerReviewInit(review: Command, terminal: Terminal): void {
  const command = review
    .command("init")
    .description("propose promises for a fleet, with today's figures")
    .option("--fleet <file>", "a fleet that berth import wrote")
    .option("--world <file>", "the fleet that a world of berth simulate comes to")
    .option("--backup <file>", "the fleet in a backup of a plane")
    .option("--out <file>", "write the promises to this file");
  addServerOptions(command).action(async (_: unknown, given: Command) => {
    // The review itself has options of the same names, and takes those that stand after init.
    const options: InitOptions = given.optsWithGlobals();
    const fleet = await readFleetOf(options);
    const text = proposePromises(fleet, profileOf(fleet));
    if (options.out === undefined) terminal.out(text);
    else {
      writeOutput(options.out, text);
      terminal.out(
        `Wrote the promises to ${options.out}. Check them with: berth review ${options.out}\n`,
      );
    }
  });
}
