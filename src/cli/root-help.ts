/** What `berth --help` prints: the commands in groups, from the table alone. */
import { COMMAND_GROUPS } from "./command-table.ts";

export const DESCRIPTION =
  "A scheduler control plane that can explain, replay and prove every decision.";

/** What a new user types first, in this order. */
const EXAMPLES = [
  ["berth up", "run a local cluster"],
  ["berth init", "write a manifest for your program"],
  ["berth apply -f berth.yaml", "run it"],
  ["berth get workloads", "see what runs"],
  ["berth explain workload shop/api", "ask why something waits or failed"],
  ["berth logs workload/api -f", "follow its logs"],
] as const;

/** Whether the command line asks for nothing but this. */
export const asksForHelp = (args: readonly string[]): boolean =>
  args.length === 0 || (args.length === 1 && ["--help", "-h", "help"].includes(args[0] ?? ""));

export function rootHelp(): string {
  const groups = COMMAND_GROUPS.map(({ title, commands }) =>
    section(
      title,
      commands.map(({ name, summary }) => [name, summary] as const),
    ),
  );
  return [
    `Usage: berth COMMAND [options]\n\n${DESCRIPTION}\n`,
    ...groups,
    section("Examples", EXAMPLES),
    "`berth COMMAND --help` shows options and examples; `berth --version` prints the version.\n",
  ].join("\n");
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length), NAME_WIDTH);
  return `${title}:\n${rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`).join("")}`;
}

/** One width for all groups of commands. */
const NAME_WIDTH = "confirm-gone".length;
