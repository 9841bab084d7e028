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
    .description("see how a service moves to another template; pause it, resume it, take it back");
  const add = <Options extends RolloutOptions>(
    name: string,
    description: string,
    action: Action<Options>,
  ): Command => {
    const command = group
      .command(`${name} <kind/name> [name]`)
      .description(description)
      .option("-n, --namespace <tenant>", "the tenant that owns it");
    return addServerOptions(command).action(
      (first: string, second: string | undefined, options: Options) =>
        action(second === undefined ? [first] : [first, second], options, terminal),
    );
  };
  add("status", "follow a rollout until it is done or has failed", showRolloutStatus)
    .option("--no-watch", "say how far it is and leave")
    .option("--timeout <duration>", "how long to follow it (default: as long as it takes)");
  add("history", "list the templates a service has had", showHistory);
  add("undo", "write a template of before into the spec again", undoRollout).option(
    "--to <generation>",
    "which one, by the generation that history shows (default: the last that served)",
  );
  add("pause", "begin and end nothing more until it is resumed", (words, options, to) =>
    pauseRollout(words, { ...options, isPaused: true }, to),
  );
  add("resume", "go on with a paused rollout", (words, options, to) =>
    pauseRollout(words, { ...options, isPaused: false }, to),
  );
}
