/** `berth rollout`: how a service moves to another template, and what people do about it. */
import type { Command } from "commander";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { showHistory } from "../rollout/history.ts";
import { pauseRollout } from "../rollout/pause.ts";
import { showRolloutStatus } from "../rollout/status.ts";
import { undoRollout } from "../rollout/undo.ts";

export interface RolloutOptions extends ServerOptions {
  readonly namespace?: string;
}

type Action<Options> = (
  words: readonly string[],
  options: Options,
  terminal: Terminal,
) => Promise<void>;

export function registerRollout(program: Command, terminal: Terminal): void {
  const group = program
    .command("rollout")
    .description("show, pause, resume or undo the rollout of a service");
  const add = <Options extends RolloutOptions>(
    name: string,
    description: string,
    action: Action<Options>,
  ): Command => {
    const command = group
      .command(`${name} <kind/name> [name]`)
      .description(description)
      .option("-n, --namespace <tenant>", "tenant of the object");
    return addServerOptions(command).action(
      (first: string, second: string | undefined, options: Options) =>
        action(second === undefined ? [first] : [first, second], options, terminal),
    );
  };
  add("status", "show the progress of a rollout until it succeeds or fails", showRolloutStatus)
    .option("--no-watch", "print the current status and exit")
    .option("--timeout <duration>", "maximum time to watch (default: no limit)");
  add("history", "list the revisions of a service's template", showHistory);
  add("undo", "roll back to an earlier template", undoRollout).option(
    "--to <generation>",
    "generation to roll back to, as shown by history (default: the last one that served)",
  );
  add("pause", "pause a rollout", (words, options, to) =>
    pauseRollout(words, { ...options, isPaused: true }, to),
  );
  add("resume", "resume a paused rollout", (words, options, to) =>
    pauseRollout(words, { ...options, isPaused: false }, to),
  );
}
