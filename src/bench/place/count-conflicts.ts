/** Listens in on what controllers are answered, and counts how often their view was too old. */
import type { ClientInput } from "../../core/kernel/component.ts";
import type { Controllers } from "../../host/controllers.ts";

export class ConflictCount {
  conflicts = 0;

  /** The same controllers; what they receive passes by here first. */
  listenIn(controllers: Controllers): Controllers {
    for (const controller of controllers) {
      const receive = controller.receive.bind(controller);
      controller.receive = (input, turn) => {
        if (isConflict(input)) this.conflicts += 1;
        return receive(input, turn);
      };
    }
    return controllers;
  }
}

function isConflict(input: ClientInput): boolean {
  return (
    input.kind === "reply" &&
    input.reply.kind === "outcome" &&
    input.reply.outcome.kind === "conflict"
  );
}
