/** `berth rollout pause` and `resume`: write `spec.rollout.paused`, and nothing else. */
import type { ShownObject } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import { workloadNamed } from "./workload-named.ts";
import { locate } from "../client/locate.ts";
import { objectPath, shownName } from "../client/resources.ts";
import type { Terminal } from "../main.ts";
import type { RolloutOptions } from "../commands/rollout.ts";
import { rolloutOf } from "./rollout-of.ts";

export interface PauseOptions extends RolloutOptions {
  readonly isPaused: boolean;
}

export async function pauseRollout(
  words: readonly string[],
  options: PauseOptions,
  terminal: Terminal,
): Promise<void> {
  const { isPaused: paused } = options;
  const client = connect(options);
  const target = await locate(client, workloadNamed(words, options.namespace));
  const path = objectPath(target);
  const name = shownName(target);
  const { isPaused, stage } = rolloutOf(await client.get<ShownObject>(path), name);
  if (isPaused === paused) {
    terminal.out(`${name} is ${paused ? "already paused" : "not paused"}\n`);
    return;
  }
  await client.send("PATCH", path, {
    contentType: "application/merge-patch+json",
    body: { spec: { rollout: { paused } } },
    query: { fieldManager: "berth" },
  });
  const later = stage === "rolling" ? "" : "; no rollout is in progress";
  terminal.out(paused ? `${name} is paused${later}\n` : `${name} is resumed${later}\n`);
}
