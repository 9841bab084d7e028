/**
 * `berth restart`: gives a service new processes. It writes `spec.restartedAt`, which is another
 * template: the rollout of the service replaces its replicas, within the bounds that it states.
 */
import type { Command } from "commander";
import { countText } from "../../core/model/text/count-text.ts";
import { UserError } from "../../shell/errors.ts";
import type { ShownObject } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import { locate } from "../client/locate.ts";
import { objectPath, shownName } from "../client/resources.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { shownRollout } from "../rollout/shown-rollout.ts";
import { showRolloutStatus } from "../rollout/status.ts";
import { workloadNamed } from "../rollout/workload-named.ts";
import { ownCommand } from "../text/own-command.ts";

export interface RestartOptions extends ServerOptions {
  readonly namespace?: string;
  readonly wait?: boolean;
  readonly timeout?: string;
}

export function registerRestart(program: Command, terminal: Terminal): void {
  const command = program
    .command("restart <kind/name> [name]")
    .description("replace the replicas of a service, as its rollout does")
    .option("--wait", "wait until all replicas are new and serve")
    .option("--timeout <duration>", "maximum time to wait (default: no limit)")
    .option("-n, --namespace <tenant>", "tenant of the object");
  addServerOptions(command).action(
    (first: string, second: string | undefined, options: RestartOptions) =>
      restart(second === undefined ? [first] : [first, second], options, terminal),
  );
}

async function restart(
  words: readonly string[],
  options: RestartOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const target = await locate(client, workloadNamed(words, options.namespace));
  const name = shownName(target);
  if (target.resource.kind !== "Workload") {
    const advice = `Only a workload can; \`${ownCommand()} delete ${name}\` restarts a replica.`;
    throw new UserError("bad-usage", `${name} cannot be restarted. ${advice}`);
  }
  const object = await client.send<ShownObject>("PATCH", objectPath(target), {
    contentType: "application/merge-patch+json",
    body: { spec: { restartedAt: new Date().toISOString() } },
    query: { fieldManager: "berth" },
  });
  terminal.out(`${name} is restarting: ${howText(object, name)}\n`);
  if (options.wait === true && shownRollout(object) !== undefined) {
    await showRolloutStatus(words, { ...options, watch: true }, terminal);
  }
}

/** What happens now, and the command that shows it. */
function howText(object: ShownObject, name: string): string {
  const rollout = shownRollout(object);
  const berth = ownCommand();
  if (rollout === undefined) {
    return `all its replicas stop, and others start together; watch it with \`${berth} describe ${name}\``;
  }
  if (rollout.isPaused) {
    return `its rollout is paused and begins with \`${berth} rollout resume ${name}\``;
  }
  const bounds = rollout.bounds === "" ? "" : ` (${rollout.bounds})`;
  const replicas = countText(rollout.replicas, "replica");
  return `${replicas} to replace${bounds}; watch it with \`${berth} rollout status ${name}\``;
}
