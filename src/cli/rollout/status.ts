/**
 * `berth rollout status`: follows a rollout, one line for every change, until it is done. Leaves
 * with 1 when it failed or took too long.
 */
import { formatDuration } from "../../quantity/duration.ts";
import type { ShownObject } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import { workloadNamed } from "./workload-named.ts";
import { locate } from "../client/locate.ts";
import { mirror } from "../client/mirror.ts";
import { collectionPath, objectPath, shownName } from "../client/resources.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import type { RolloutOptions } from "../commands/rollout.ts";
import { readTimeout } from "../commands/wait.ts";
import { checkRollout, type CheckedRollout } from "./check-rollout.ts";
import { rolloutOf } from "./rollout-of.ts";

export interface StatusOptions extends RolloutOptions {
  readonly watch: boolean;
  readonly timeout?: string;
}

export async function showRolloutStatus(
  words: readonly string[],
  options: StatusOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const target = await locate(client, workloadNamed(words, options.namespace));
  const name = shownName(target);
  const check = (object: ShownObject): CheckedRollout => checkRollout(rolloutOf(object, name));
  let last: CheckedRollout | undefined;
  const tell = (now: CheckedRollout): void => {
    if (now.text !== last?.text) terminal.out(`${name}: ${now.text}\n`);
    last = now;
  };
  if (!options.watch) {
    tell(check(await client.get<ShownObject>(objectPath(target))));
    if (last?.state === "failed") terminal.exitCode = 1;
    return;
  }
  const found = new AbortController();
  const timeoutMs = options.timeout === undefined ? undefined : readTimeout(options.timeout);
  const signals = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)];
  const { resource, namespace } = target;
  let isThere = true;
  await mirror(client, {
    path: collectionPath(resource, resource.isNamespaced ? namespace : undefined),
    query: { fieldSelector: `metadata.name=${target.name}` },
    signal: AbortSignal.any([found.signal, ...signals]),
    onChange: (objects) => {
      if (found.signal.aborted) return;
      const [object] = objects.values();
      isThere = object !== undefined;
      if (object !== undefined) tell(check(object));
      if (!isThere || last?.state !== "going") found.abort();
    },
  });
  if (!isThere) throw new UserError("not-found", `${name} does not exist.`);
  if (last?.state === "failed") terminal.exitCode = 1;
  if (!found.signal.aborted && timeoutMs !== undefined) {
    const text = last?.text ?? "it was never observed";
    throw new UserError("timed-out", `${name} after ${formatDuration(timeoutMs)}: ${text}.`);
  }
}
