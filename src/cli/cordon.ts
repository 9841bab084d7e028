/**
 * `berth cordon` and `berth uncordon`: keep new work away from a node, and let it come again. Several may hold
 * one node; each lifts only their own hold.
 */
import { userInfo } from "node:os";
import type { Command } from "commander";
import type { ApiClient } from "./client/api-client.ts";
import { listOf, recordOf, type ShownObject, textOf } from "./client/api-object.ts";
import { changeNode } from "./client/change-node.ts";
import { connect } from "./client/connect.ts";
import { addServerOptions, type ServerOptions } from "./client/server-options.ts";
import { UserError } from "./errors.ts";
import type { Terminal } from "./main.ts";

export interface CordonOptions extends ServerOptions {
  readonly holder?: string;
  readonly reason?: string;
}

export function registerCordon(program: Command, terminal: Terminal): void {
  const command = program
    .command("cordon <node>")
    .description("keep new work away from a node")
    .option("--holder <name>", "who holds it (default: your user name)")
    .option("--reason <text>", "why");
  addServerOptions(command).action((node: string, options: CordonOptions) =>
    cordon(node, options, terminal),
  );
}

export function registerUncordon(program: Command, terminal: Terminal): void {
  const command = program
    .command("uncordon <node>")
    .description("lift your hold on a node")
    .option("--holder <name>", "whose hold to lift (default: your user name)");
  addServerOptions(command).action((node: string, options: CordonOptions) =>
    uncordon(node, options, terminal),
  );
}

interface Hold {
  readonly holder: string;
  readonly reason?: string;
}

export async function cordon(
  node: string,
  options: CordonOptions,
  terminal: Terminal,
): Promise<void> {
  const holder = holderOf(options);
  const { reason } = options;
  const own: Hold = { holder, ...(reason === undefined ? {} : { reason }) };
  await changeCordons(connect(options), node, (held) => [
    ...held.filter((each) => each.holder !== holder),
    own,
  ]);
  terminal.out(
    `node/${node} cordoned by ${holder}; lift it with \`berth uncordon ${node}${flag(options)}\`\n`,
  );
}

export async function uncordon(
  node: string,
  options: CordonOptions,
  terminal: Terminal,
): Promise<void> {
  const holder = holderOf(options);
  const left = await changeCordons(connect(options), node, (held) => {
    if (held.some((each) => each.holder === holder)) {
      return held.filter((each) => each.holder !== holder);
    }
    const others = held.map((each) => each.holder).join(", ");
    const whose = others === "" ? "nobody holds it" : `it is held by ${others}`;
    throw new UserError(
      "request-refused",
      `${holder} does not hold node/${node}: ${whose}.${others === "" ? "" : " Lift another's hold with --holder."}`,
    );
  });
  const others = left.map((each) => each.holder).join(", ");
  terminal.out(
    others === ""
      ? `node/${node} takes new work again\n`
      : `node/${node} is no longer held by ${holder}; still held by ${others}\n`,
  );
}

async function changeCordons(
  client: ApiClient,
  node: string,
  change: (held: readonly Hold[]) => readonly Hold[],
): Promise<readonly Hold[]> {
  const changed = await changeNode(client, node, (live) => ({ cordons: change(holdsOf(live)) }));
  return holdsOf(changed);
}

function holdsOf({ spec }: ShownObject): readonly Hold[] {
  return listOf(spec?.["cordons"])
    .map(recordOf)
    .map(({ holder, reason }) => {
      const why = textOf(reason);
      return { holder: textOf(holder), ...(why === "" ? {} : { reason: why }) };
    });
}

function holderOf({ holder }: CordonOptions): string {
  const name = holder ?? userInfo().username;
  if (name !== "") return name;
  throw new UserError("bad-usage", "--holder: found nothing, expected a name.");
}

const flag = ({ holder }: CordonOptions): string =>
  holder === undefined ? "" : ` --holder ${holder}`;
