/**
 * A recorded request in the words of another run. Revisions count commits, so what names one is
 * moved by as much as the runs are apart; a write that was made as of the newest version of an
 * object is made as of the newest again; and an agent that lists what it knows of lists what this
 * run has put on its node.
 */
import type { Command, Intent, IntentOf } from "../../core/protocol/command.ts";
import type { Request } from "../../core/kernel/component.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { OutsideRequest } from "./script.ts";

interface Otherwise {
  readonly cue: Pick<OutsideRequest, "wasCommitted" | "wereOn">;
  /** By how many revisions this run is ahead of the recorded one. */
  readonly shift: number;
  readonly objects: ObjectIndex;
}

export function restated(request: Request, run: Otherwise): Request {
  if (request.kind !== "command") return request;
  const { command } = request;
  const intent = intentIn(command.intent, run);
  const basis = Math.max(0, command.basis + run.shift);
  const said: Command = { ...command, intent, basis };
  return { ...request, command: said };
}

function intentIn(intent: Intent, run: Otherwise): Intent {
  if (intent.kind === "lease") return leaseIn(intent, run);
  if (intent.kind !== "put" && intent.kind !== "delete") return intent;
  const { revision } = intent.expect;
  if (revision === undefined || !run.cue.wasCommitted) return intent;
  const now = run.objects.get(intent.key)?.meta.revision ?? revision;
  return { ...intent, expect: { ...intent.expect, revision: now } };
}

function leaseIn(intent: IntentOf<"lease">, run: Otherwise): IntentOf<"lease"> {
  const { wereOn } = run.cue;
  if (wereOn === undefined) return intent;
  const on = run.objects.replicasOn(intent.node);
  const known = (listed: readonly ObjectKey[], more: readonly ObjectKey[]): ObjectKey[] =>
    [...listed.filter((key) => on.has(key) || !wereOn.has(key)), ...more].toSorted();
  const come = [...on.values()].filter(({ key }) => !wereOn.has(key));
  const keep = come.filter(({ spec }) => spec.template.onDisconnect === "keep");
  const { inventory } = intent;
  return {
    ...intent,
    kept: known(
      intent.kept,
      keep.map(({ key }) => key),
    ),
    ...(inventory === undefined
      ? {}
      : {
          inventory: {
            asOf: Math.max(0, inventory.asOf + run.shift),
            replicas: known(
              inventory.replicas,
              come.map(({ key }) => key),
            ),
          },
        }),
  };
}
