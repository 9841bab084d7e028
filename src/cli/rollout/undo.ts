/**
 * `berth rollout undo`: writes a template of before into the spec again, as anybody might by hand.
 * The plane knows it and keeps what is left of it running; everything else of the spec stays.
 */
import { isDeepStrictEqual } from "node:util";
import { TEMPLATE_NAMES } from "../../core/kinds/fields/template-fields.ts";
import type { ApiClient } from "../client/api-client.ts";
import type { ShownObject } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import { workloadNamed } from "./workload-named.ts";
import { locate } from "../client/locate.ts";
import { Refusal } from "../client/refusal.ts";
import { type Located, objectPath, shownName } from "../client/resources.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import type { RolloutOptions } from "../commands/rollout.ts";
import { ownCommand } from "../text/own-command.ts";
import { readWholeNumber } from "../../shell/read-whole-number.ts";
import { rolloutOf } from "./rollout-of.ts";
import type { ShownPast } from "./shown-rollout.ts";

export interface UndoOptions extends RolloutOptions {
  readonly to?: string;
}

/** A rollout writes its workload often; who is overtaken more often than this meets a loop. */
const TRIES = 20;

export async function undoRollout(
  words: readonly string[],
  options: UndoOptions,
  terminal: Terminal,
): Promise<void> {
  const wanted = options.to === undefined ? undefined : readWholeNumber("--to", options.to);
  const client = connect(options);
  const target = await locate(client, workloadNamed(words, options.namespace));
  const { generation } = await putBack(client, target, wanted);
  terminal.out(
    `${shownName(target)} is rolling back to generation ${generation}; watch it with \`${ownCommand()} rollout status ${shownName(target)}\`\n`,
  );
}

async function putBack(
  client: ApiClient,
  target: Located,
  wanted: number | undefined,
): Promise<ShownPast> {
  const path = objectPath(target);
  for (let tries = 1; ; tries += 1) {
    const live = await client.get<ShownObject>(path);
    const past = choose(live, wanted, shownName(target));
    // All of the template is replaced, also what the one of before did not say; the rest of the
    // spec stays.
    const kept = Object.entries(live.spec ?? {}).filter(
      ([field]) => !TEMPLATE_NAMES.includes(field),
    );
    const spec = { ...Object.fromEntries(kept), ...past.template };
    try {
      await client.send("PUT", path, { body: { ...live, spec }, query: { fieldManager: "berth" } });
      return past;
    } catch (error) {
      const isOvertaken = error instanceof Refusal && error.status.code === 409;
      if (!isOvertaken || tries === TRIES) throw error;
    }
  }
}

function choose(live: ShownObject, wanted: number | undefined, name: string): ShownPast {
  const rollout = rolloutOf(live, name);
  const { history, templateGeneration } = rollout;
  const known = history.map(({ generation }) => generation).join(", ") || "none";
  if (wanted === undefined) {
    const served = history.filter((past) => past.served);
    // While it restarts, what is left of the old replicas stays; after that there is nothing to
    // take back, and the template that came before the restart is meant.
    const last = rollout.stage === "" ? served.findLast(isOtherThan(live)) : served.at(-1);
    if (last !== undefined) return last;
    const hint = `Choose one with --to; the history has ${known}.`;
    const why =
      served.length === 0
        ? `No earlier template of ${name} ever served.`
        : `${name} has only been restarted: its earlier templates are the same as this one.`;
    throw new UserError("not-found", `${why} ${hint}`);
  }
  const found = history.find(({ generation }) => generation === wanted);
  if (found !== undefined) return found;
  const own = wanted === templateGeneration ? "It is already the template of the spec" : "";
  const hint = own === "" ? `The history has ${known}` : own;
  throw new UserError("not-found", `${name} has no generation ${wanted} to roll back to. ${hint}.`);
}

/** Whether it differs from the template of the spec in more than the time of a restart. */
const isOtherThan =
  ({ spec = {} }: ShownObject) =>
  ({ template }: ShownPast): boolean =>
    TEMPLATE_NAMES.some(
      (field) => field !== "restartedAt" && !isDeepStrictEqual(spec[field], template[field]),
    );
