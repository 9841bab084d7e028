/** `berth whoami`: the caller as the plane knows it. */
import type { Command } from "commander";
import { printable } from "../../text/printable.ts";
import { connect } from "../client/connect.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";

/** The answer of `GET /whoami`. */
export interface Known {
  readonly user: string;
  readonly groups: readonly string[];
  readonly how?: string;
  readonly credential?: string;
  readonly expires?: string;
}

export function registerWhoami(program: Command, terminal: Terminal): void {
  const command = program
    .command("whoami")
    .description("show the user and groups that the plane knows you by");
  addServerOptions(command).action(async (options: ServerOptions) => {
    terminal.out(knownText(await connect(options).get<Known>("/whoami")));
  });
}

export function knownText({ user, groups, how, credential, expires }: Known): string {
  const lines = [
    `User     ${user}`,
    `Groups   ${groups.join(", ")}`,
    ...(how === undefined ? [] : [`By       ${how} ${credential ?? ""}`.trimEnd()]),
    ...(expires === undefined ? [] : [`Expires  ${expires}`]),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}
