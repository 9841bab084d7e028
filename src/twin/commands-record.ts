/** How many commands each controller sent about each object, retries included. */
import type { Request } from "../core/kernel/component.ts";
import type { Intent } from "../core/protocol/command.ts";
import { nodeKey, type OperationId } from "../core/model/ids.ts";
import type { Checker, Report, Truth } from "../sim/check/checker.ts";
import type { TwinRun } from "./twin-run.ts";

export class CommandsRecord implements Checker {
  readonly name = "commands-record";
  private readonly counts = new Map<string, Map<string, number>>();
  private hasBegun = false;

  begin(): void {
    this.hasBegun = true;
  }

  requested(
    _from: string,
    _operation: OperationId,
    _attempt: number,
    _truth: Truth,
    _report: Report,
    request: Request,
  ): void {
    if (!this.hasBegun || request.kind !== "command") return;
    const { intent, actor } = request.command;
    // Agents renew without end, and people do what the scenario says.
    if (actor.role === "agent" || actor.role === "user") return;
    let ofController = this.counts.get(actor.name);
    if (ofController === undefined) {
      ofController = new Map();
      this.counts.set(actor.name, ofController);
    }
    for (const about of objectsOf(intent)) {
      ofController.set(about, (ofController.get(about) ?? 0) + 1);
    }
  }

  most(): TwinRun["mostCommands"] {
    let most: TwinRun["mostCommands"];
    for (const [controller, counts] of this.counts) {
      for (const [about, count] of counts) {
        if (count > (most?.count ?? 0)) most = { controller, about, count };
      }
    }
    return most;
  }
}

function objectsOf(intent: Intent): readonly string[] {
  switch (intent.kind) {
    case "bind-all":
      return intent.bindings.map(({ replica }) => replica);
    case "admit":
    case "enqueue":
      return [intent.workload];
    case "provisioned":
    case "scale-down":
    case "drain-over":
      return [nodeKey(intent.node)];
    default:
      if ("key" in intent) return [intent.key];
      if ("replica" in intent) return [intent.replica];
      if ("workload" in intent) return [intent.workload];
      return "autoscaler" in intent ? [intent.autoscaler] : [];
  }
}
