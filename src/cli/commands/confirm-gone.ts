/**
 * `berth confirm-gone`: a person vouches that a machine is gone for good. It is the strongest
 * evidence there is: everything on the node is released and replaced at once, also what keeps
 * running when disconnected.
 */
import type { Command } from "commander";
import type { Command as PlaneCommand } from "../../core/protocol/command.ts";
import type { Reply } from "../../core/protocol/outcome.ts";
import { nodeKey, operationId } from "../../core/model/ids.ts";
import type { NodeHealth } from "../../core/model/objects.ts";
import { actingAs } from "../client/acting-as.ts";
import type { ApiClient } from "../client/api-client.ts";
import { recordOf, type ShownObject, textOf } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";

export interface ConfirmGoneOptions extends ServerOptions {
  readonly reason?: string;
  readonly name?: string;
}

export function registerConfirmGone(program: Command, terminal: Terminal): void {
  const command = program
    .command("confirm-gone <node>")
    .description(
      "declare a node dead and replace its replicas at once, or region/NAME gone for good",
    )
    .requiredOption("--reason <text>", "how you verified that it is dead")
    .option(
      "--name <name>",
      "name to record (default: the user of your token, or your login name)",
    );
  addServerOptions(command).action((node: string, options: ConfirmGoneOptions) =>
    confirmGone(node, options, terminal),
  );
}

/**
 * The node may change its health while we speak of it; who meets that five times in a row is not
 * its end.
 */
const TRIES = 5;

export async function confirmGone(
  node: string,
  options: ConfirmGoneOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const { name } = options.name === undefined ? await actingAs(client, {}) : { name: options.name };
  const statement = (options.reason ?? "").trim();
  if (name === "" || statement === "") {
    const option = name === "" ? "--name" : "--reason";
    throw new UserError("bad-usage", `${option}: found an empty value, expected text.`);
  }
  if (node.startsWith(OF_REGION)) {
    return regionGone(client, { region: node.slice(OF_REGION.length), statement }, terminal);
  }
  await vouch(client, { node, name, statement });
  terminal.out(
    `node/${node} declared dead by ${name}; its replicas are being replaced. If it comes back, it starts a new session without replicas.\n`,
  );
}

const OF_REGION = "region/";

async function regionGone(
  client: ApiClient,
  { region, statement }: { readonly region: string; readonly statement: string },
  terminal: Terminal,
): Promise<void> {
  const reply = await client.send<Reply>("POST", `/regions/${encodeURIComponent(region)}/gone`, {
    contentType: "application/json",
    body: { reason: statement },
  });
  const outcome = reply.kind === "outcome" ? reply.outcome : undefined;
  if (outcome?.kind === "committed" || outcome?.kind === "duplicate") {
    terminal.out(
      `region/${region} declared gone; the quota that it was lent is free. Its plane is not heard any more, unless it is restored from a backup.\n`,
    );
    return;
  }
  throw new UserError(
    "request-refused",
    outcome === undefined
      ? `region/${region} cannot be declared gone: the plane has no leader; try again.`
      : `region/${region} cannot be declared gone: ${outcome.field} is ${outcome.actual}, expected ${outcome.expected} (${outcome.code}, rule ${outcome.rule}).`,
  );
}

interface Word {
  readonly node: string;
  readonly name: string;
  readonly statement: string;
}

async function vouch(client: ApiClient, word: Word): Promise<void> {
  let epoch = 0;
  for (let tries = 1; ; tries += 1) {
    const path = `/apis/berth.dev/v1/nodes/${encodeURIComponent(word.node)}`;
    const live = await client.get<ShownObject>(path);
    const reply = await client.send<Reply>("POST", "/commands", {
      contentType: "application/json",
      body: {
        from: `user:${word.name}`,
        request: { kind: "command", attempt: tries, command: commandOf(live, word, epoch) },
      },
    });
    if (reply.kind !== "outcome") continue;
    const { outcome } = reply;
    if (outcome.kind === "committed" || outcome.kind === "duplicate") return;
    ({ epoch } = reply);
    if (outcome.kind === "conflict" && tries < TRIES) continue;
    throw new UserError(
      "request-refused",
      `node/${word.node} cannot be declared dead: ${outcome.field} is ${outcome.actual}, expected ${outcome.expected} (${outcome.code}, rule ${outcome.rule}).`,
    );
  }
}

function commandOf(
  live: ShownObject,
  { node, name, statement }: Word,
  epoch: number,
): PlaneCommand {
  const status = recordOf(live.status);
  const session = Number(status["session"] ?? 0);
  const key = nodeKey(node);
  return {
    intent: {
      kind: "transition",
      // The same word about the same session has one effect, however often it is sent.
      operation: operationId(`gone/${key}/${textOf(live.metadata.uid)}/${session}/${name}`),
      key,
      session,
      from: textOf(status["health"]) as NodeHealth,
      to: "fenced",
      evidence: { kind: "person", name, statement },
    },
    epoch,
    basis: 0,
    actor: { role: "user", name },
  };
}
