/**
 * Listens in on what controllers are answered, and counts how often their view was too old and how
 * often another had asked for the same before.
 */
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import type { ClientInput } from "../../src/core/kernel/component.ts";
import type { Controllers } from "../../src/host/controllers.ts";

export class ConflictCount {
  conflicts = 0;
  duplicates = 0;

  /** The same controllers; what they receive passes by here first. */
  listenIn(controllers: Controllers): Controllers {
    for (const controller of controllers) {
      const receive = controller.receive.bind(controller);
      controller.receive = (input, turn) => {
        const outcome = outcomeOf(input);
        if (outcome === "conflict") this.conflicts += 1;
        if (outcome === "duplicate") this.duplicates += 1;
        return receive(input, turn);
      };
    }
    return controllers;
  }
}

const outcomeOf = (input: ClientInput): Outcome["kind"] | undefined =>
  input.kind === "reply" && input.reply.kind === "outcome" ? input.reply.outcome.kind : undefined;
