/**
 * `berth cordon` and `berth uncordon`: mark a node unschedulable, and let it come again. Several
 * may hold one node; each lifts only their own hold, or another's by force and in their own name.
 */
import { ownCommand } from "../text/own-command.ts";
import type { Command } from "commander";
import {
  type Acting,
  type ActingOptions,
  actingAs,
  addActingOptions,
} from "../client/acting-as.ts";
import type { ApiClient } from "../client/api-client.ts";
import { listOf, recordOf, type ShownObject, textOf } from "../../steering/api-object.ts";
import { changeNode } from "../client/change-node.ts";
import { connect } from "../client/connect.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";

export interface CordonOptions extends ServerOptions, ActingOptions {
  readonly holder?: string;
  readonly reason?: string;
}

export function registerCordon(program: Command, terminal: Terminal): void {
  const command = program
    .command("cordon <node>")
    .description("mark a node unschedulable")
    .option("--holder <name>", "name of the holder (default: you)")
    .option("--reason <text>", "why");
  addServerOptions(addActingOptions(command)).action((node: string, options: CordonOptions) =>
    cordon(node, options, terminal),
  );
}

export function registerUncordon(program: Command, terminal: Terminal): void {
  const command = program
    .command("uncordon <node>")
    .description("mark a node schedulable by removing your hold")
    .option("--holder <name>", "holder whose hold is removed (default: you)");
  addServerOptions(addActingOptions(command)).action((node: string, options: CordonOptions) =>
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
  const client = connect(options);
  const acting = await actingAs(client, options, givenHolder(options));
  const holder = givenHolder(options) ?? acting.name;
  const { reason } = options;
  const own: Hold = { holder, ...(reason === undefined ? {} : { reason }) };
  await changeCordons(client, node, {
    acting,
    change: (held) => [...held.filter((each) => each.holder !== holder), own],
  });
  terminal.out(
    `node/${node} cordoned by ${holder}; undo with \`${ownCommand()} uncordon ${node}${flag(options)}\`\n`,
  );
}

export async function uncordon(
  node: string,
  options: CordonOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  // Who forces something answers for it in their own name, not in that of whom they overrule.
  const own = options.force === true ? undefined : givenHolder(options);
  const acting = await actingAs(client, options, own);
  const holder = givenHolder(options) ?? acting.name;
  const left = await changeCordons(client, node, {
    acting,
    change: (held) => withoutHold(node, held, { holder, acting }),
  });
  const others = left.map((each) => each.holder).join(", ");
  const by = holder === acting.name ? "" : `, forced by ${acting.name}`;
  terminal.out(
    others === ""
      ? `node/${node} is schedulable again${by}\n`
      : `node/${node} is no longer held by ${holder}${by}, but still by ${others}\n`,
  );
}

function withoutHold(
  node: string,
  held: readonly Hold[],
  { holder, acting }: { readonly holder: string; readonly acting: Acting },
): readonly Hold[] {
  const found = held.find((each) => each.holder === holder);
  if (found === undefined) {
    const others = held.map((each) => each.holder).join(", ");
    const whose = others === "" ? "it has no holds" : `it is held by ${others}`;
    const advice =
      others === ""
        ? ""
        : " Remove another user's hold with --holder NAME --force; it is recorded under your name.";
    throw new UserError(
      "request-refused",
      `${holder} does not hold node/${node}: ${whose}.${advice}`,
    );
  }
  if (holder !== acting.name && !acting.force) {
    const why = found.reason === undefined ? "" : ` (${found.reason})`;
    throw new UserError(
      "request-refused",
      `${holder} holds node/${node}${why}, and you are ${acting.name}. Ask ${holder}, or remove the hold with --force; it is recorded under your name.`,
    );
  }
  return held.filter((each) => each.holder !== holder);
}

async function changeCordons(
  client: ApiClient,
  node: string,
  of: {
    readonly acting: Acting;
    readonly change: (held: readonly Hold[]) => readonly Hold[];
  },
): Promise<readonly Hold[]> {
  const change = (live: ShownObject) => ({ cordons: of.change(holdsOf(live)) });
  return holdsOf(await changeNode(client, node, { change, acting: of.acting }));
}

function holdsOf({ spec }: ShownObject): readonly Hold[] {
  return listOf(spec?.["cordons"])
    .map(recordOf)
    .map(({ holder, reason }) => {
      const why = textOf(reason);
      return { holder: textOf(holder), ...(why === "" ? {} : { reason: why }) };
    });
}

function givenHolder({ holder }: CordonOptions): string | undefined {
  if (holder !== "") return holder;
  throw new UserError("bad-usage", "--holder: found an empty value, expected a name.");
}

const flag = ({ holder }: CordonOptions): string =>
  holder === undefined ? "" : ` --holder ${holder}`;
