/** `berth drain` and `berth undrain`: move all work away from a node, and let it come again. */
import type { Command } from "commander";
import type { ApiClient } from "./client/api-client.ts";
import type { ShownList } from "./client/api-object.ts";
import { changeNode } from "./client/change-node.ts";
import { connect } from "./client/connect.ts";
import { mirror } from "./client/mirror.ts";
import { addServerOptions, type ServerOptions } from "./client/server-options.ts";
import { UserError } from "./errors.ts";
import type { Terminal } from "./main.ts";
import { readTimeout } from "./wait.ts";

export interface DrainOptions extends ServerOptions {
  readonly wait?: boolean;
  readonly timeout?: string;
}

const REPLICAS = "/apis/berth.dev/v1/replicas";

export function registerDrain(program: Command, terminal: Terminal): void {
  const command = program
    .command("drain <node>")
    .description("move all work away from a node, and keep new work away")
    .option("--wait", "wait until the node is empty")
    .option("--timeout <duration>", "how long to wait (default: 2m)");
  addServerOptions(command).action((node: string, options: DrainOptions) =>
    drain(node, options, terminal),
  );
}

export function registerUndrain(program: Command, terminal: Terminal): void {
  const command = program.command("undrain <node>").description("let work come to a node again");
  addServerOptions(command).action((node: string, options: ServerOptions) =>
    undrain(node, options, terminal),
  );
}

export async function drain(
  node: string,
  options: DrainOptions,
  terminal: Terminal,
): Promise<void> {
  const timeoutMs = readTimeout(options.timeout);
  const client = connect(options);
  await changeNode(client, node, () => ({ draining: true }));
  const query = { fieldSelector: `status.node=${node}` };
  const { items } = await client.get<ShownList>(REPLICAS, { query });
  terminal.out(
    `node/${node} is draining, ${items.length} replicas to move; stop it with \`berth undrain ${node}\`\n`,
  );
  if (options.wait !== true) return;
  await untilEmpty(client, node, timeoutMs);
  terminal.out(`node/${node} is empty\n`);
}

async function untilEmpty(client: ApiClient, node: string, timeoutMs: number): Promise<void> {
  const empty = new AbortController();
  let left: readonly string[] = [];
  await mirror(client, {
    path: REPLICAS,
    query: { fieldSelector: `status.node=${node}` },
    signal: AbortSignal.any([empty.signal, AbortSignal.timeout(timeoutMs)]),
    onChange: (objects) => {
      left = [...objects.values()].map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
      if (left.length === 0) empty.abort();
    },
  });
  if (left.length === 0) return;
  throw new UserError(
    "timed-out",
    `node/${node} still has ${left.join(", ")}. A replica moves when another node has room for it: \`berth describe replica ${left[0]}\`.`,
  );
}

export async function undrain(
  node: string,
  options: ServerOptions,
  terminal: Terminal,
): Promise<void> {
  await changeNode(connect(options), node, () => ({ draining: false }));
  terminal.out(`node/${node} takes work again\n`);
}
