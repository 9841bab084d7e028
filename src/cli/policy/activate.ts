/**
 * `berth policy activate`: puts a revision in force, everywhere or in one region. The command says which revision it
 * replaces, as it was seen a moment ago: whoever else moved the pointer meanwhile is not overwritten.
 */
import type { Command as PlaneCommand } from "../../core/commit/command.ts";
import type { Reply } from "../../core/commit/outcome.ts";
import { operationId } from "../../core/model/ids.ts";
import { actingAs } from "../client/acting-as.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { UserError } from "../errors.ts";
import type { Terminal } from "../main.ts";
import type { MoveOptions } from "../policy.ts";
import { inForce, readPolicy, type ShownPolicy } from "./shown-policy.ts";

export async function activatePolicy(
  { policy, revision }: { readonly policy: string; readonly revision: string },
  options: MoveOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const seen = await readPolicy(client, policy);
  const { region, reason = "" } = options;
  const { name: by } = await actingAs(client, options);
  await sendActivation(client, { seen, region, to: revision, reason, by });
  const where = region === undefined ? "everywhere" : `in ${region}`;
  const from = inForce(seen, region) || "scoring of its own";
  terminal.out(`policy/${policy}: ${revision} is in force ${where}, and was ${from} before\n`);
}

export interface ActivationToSend {
  readonly seen: ShownPolicy;
  readonly region: string | undefined;
  readonly to: string;
  readonly reason: string;
  readonly by: string;
}

/** The plane may change its leader while we speak to it; who meets that five times in a row is told so. */
const TRIES = 5;

export async function sendActivation(client: ApiClient, move: ActivationToSend): Promise<void> {
  let epoch = 0;
  for (let tries = 1; ; tries += 1) {
    const reply = await client.send<Reply>("POST", "/commands", {
      contentType: "application/json",
      body: {
        from: `user:${move.by}`,
        request: { kind: "command", attempt: tries, command: commandOf(move, epoch) },
      },
    });
    const outcome = reply.kind === "outcome" ? reply.outcome : undefined;
    if (outcome?.kind === "committed" || outcome?.kind === "duplicate") return;
    if (reply.kind === "outcome") ({ epoch } = reply);
    const mayPass = outcome === undefined || outcome.code === "stale-epoch";
    if (mayPass && tries < TRIES) continue;
    throw new UserError("request-refused", refusalText(move, outcome));
  }
}

function commandOf(
  { seen, region, to, reason, by }: ActivationToSend,
  epoch: number,
): PlaneCommand {
  const place = region ?? "";
  return {
    intent: {
      kind: "activate",
      // The same move of the pointer as it was seen has one effect, however often it is sent.
      operation: operationId(`activate/${seen.uid}/${seen.generation}/${place}/${to}/${by}`),
      policy: seen.name,
      ...(region === undefined ? {} : { region }),
      from: inForce(seen, region),
      to,
      reason,
    },
    epoch,
    basis: 0,
    actor: { role: "user", name: by },
  };
}

function refusalText(
  { seen, to }: ActivationToSend,
  outcome:
    | { field: string; expected: unknown; actual: unknown; code: string; rule: string }
    | undefined,
): string {
  if (outcome === undefined) return `policy/${seen.name}: nobody leads just now; try again.`;
  const { field, expected, actual, code, rule } = outcome;
  const found = `${field}: expected ${String(expected)}, found ${String(actual)}`;
  return `policy/${seen.name} cannot be moved to ${to}: ${found} (${code}, rule ${rule}).${ADVICE[code] ?? ""}`;
}

const ADVICE: Readonly<Record<string, string>> = {
  "policy-moved":
    " Somebody has moved it meanwhile: look with berth policy history, then decide again.",
  "policy-staged": " End that stage first, with --region.",
  "already-active": " There is nothing to do.",
  "no-such-object": " Look with berth policy list.",
};
