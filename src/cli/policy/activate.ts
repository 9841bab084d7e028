/**
 * `berth policy activate`: puts a revision in force, everywhere or in one region. The command says
 * which revision it replaces, as it was seen a moment ago: a concurrent activation is not
 * overwritten.
 */
import type { Reply } from "../../core/protocol/outcome.ts";
import { actingAs } from "../client/acting-as.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import type { MoveOptions } from "../commands/policy.ts";
import { activate, type ActivationToSend } from "../../steering/activation.ts";
import { inForce, readPolicy } from "../../steering/shown-policy.ts";

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
  const from = inForce(seen, region) || "its own scoring";
  terminal.out(`policy/${policy}: activated ${revision} ${where}; before: ${from}\n`);
}

export async function sendActivation(client: ApiClient, move: ActivationToSend): Promise<void> {
  const refusal = await activate(move, (body) =>
    client.send<Reply>("POST", "/commands", { contentType: "application/json", body }),
  );
  if (refusal !== undefined) throw new UserError("request-refused", refusal);
}
