/**
 * `berth diff`: what is different between two moments, or what an apply of files would change,
 * field by field.
 */
import { type Command, Option } from "commander";
import type { ShownObject } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import { parseReference } from "../client/locate.ts";
import { findResource, listResources } from "../client/resources.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { diffManifests } from "../manifests/diff-manifests.ts";
import { differenceLines } from "../text/difference-text.ts";

export interface DiffOptions extends ServerOptions {
  readonly file?: readonly string[];
  readonly force?: boolean;
  readonly from?: string;
  readonly to?: string;
  readonly namespace?: string;
  readonly output?: "text" | "json";
}

interface ShownDifference {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly change: "added" | "removed" | "changed";
  readonly before?: ShownObject;
  readonly after?: ShownObject;
}

interface ShownDiff {
  readonly from: number;
  readonly to: number;
  readonly items: readonly ShownDifference[];
  readonly leftOff: number;
}

export function registerDiff(program: Command, terminal: Terminal): void {
  const command = program
    .command("diff [kind] [name]")
    .description("show what `berth apply` would change, or what changed between two moments")
    .option(
      "-f, --file <path...>",
      "compare with files or directories of manifests, - for standard input",
    )
    .option("--force", "with -f: as `berth apply --force`")
    .option("--from <moment>", "start: a revision, a time, or how long ago (10m)")
    .option("--to <moment>", "end, in the same form (default: now)")
    .option(
      "-n, --namespace <tenant>",
      "show only objects of this tenant; with -f: as `berth apply -n`",
    )
    .addOption(
      new Option("-o, --output <form>", "output format").choices(["text", "json"]).default("text"),
    )
    .addHelpText(
      "after",
      "\nWith -f the exit code is 0 without differences, 1 with differences, and 2 after an error.\nLeases are left out unless you name the kind.",
    );
  addServerOptions(command).action(
    (kind: string | undefined, name: string | undefined, options: DiffOptions) =>
      diff(
        [kind, name].filter((word) => word !== undefined),
        options,
        terminal,
      ),
  );
}

export async function diff(
  words: readonly string[],
  options: DiffOptions,
  terminal: Terminal,
): Promise<void> {
  const { from, to, namespace, output, file } = options;
  if (file !== undefined) {
    if (from !== undefined || to !== undefined || words.length > 0) {
      throw new UserError(
        "bad-usage",
        "-f compares with the present: leave out moments and names.",
      );
    }
    return diffManifests(file, options, terminal);
  }
  if (from === undefined) throw new UserError("bad-usage", "Expected -f FILE or --from MOMENT.");
  const client = connect(options);
  const reference = words.length === 0 ? undefined : parseReference(words, namespace);
  const resource = reference && findResource(await listResources(client), reference.kind);
  const query = {
    from,
    to,
    kind: resource?.kind,
    name: reference?.name,
    namespace: reference?.namespace ?? namespace,
  };
  const shown = await client.get<ShownDiff>("/diff", { query });
  terminal.out(output === "json" ? `${JSON.stringify(shown, undefined, 2)}\n` : diffText(shown));
}

function diffText({ from, to, items, leftOff }: ShownDiff): string {
  const lines = items.flatMap(itemLines);
  if (lines.length === 0) return `No changes between revisions ${from} and ${to}.\n`;
  const more =
    leftOff === 0 ? [] : [`… and ${leftOff} more objects; narrow it down with a kind or a tenant`];
  return `${[`From revision ${from} to ${to}:`, ...lines, ...more].join("\n")}\n`;
}

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;

function itemLines(difference: ShownDifference): readonly string[] {
  const { kind, namespace, name, change, before, after } = difference;
  const owner = namespace === undefined ? "" : `${namespace}/`;
  const head = `${SIGNS[change]} ${kind.toLowerCase()}/${owner}${name}`;
  if (before === undefined || after === undefined) return [head];
  return [head, ...differenceLines({ before, after })];
}
