/** `berth diff`: what is different between two moments, field by field. */
import { type Command, Option } from "commander";
import { type ShownObject, withoutManagedFields } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import { parseReference } from "../client/locate.ts";
import { findResource, listResources } from "../client/resources.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";

export interface DiffOptions extends ServerOptions {
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
    .description("show what changed between two revisions or times")
    .requiredOption("--from <moment>", "start: a revision, a time, or how long ago (10m)")
    .option("--to <moment>", "end, in the same form (default: now)")
    .option("-n, --namespace <tenant>", "show only objects of this tenant")
    .addOption(
      new Option("-o, --output <form>", "output format").choices(["text", "json"]).default("text"),
    )
    .addHelpText("after", "\nLeases are left out unless you name the kind.");
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
  const { from, to, namespace, output } = options;
  if (from === undefined) throw new UserError("bad-usage", "Expected --from MOMENT.");
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
  const lines = items.flatMap(differenceLines);
  if (lines.length === 0) return `No changes between revisions ${from} and ${to}.\n`;
  const more =
    leftOff === 0 ? [] : [`… and ${leftOff} more objects; narrow it down with a kind or a tenant`];
  return `${[`From revision ${from} to ${to}:`, ...lines, ...more].join("\n")}\n`;
}

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;

function differenceLines(difference: ShownDifference): readonly string[] {
  const { kind, namespace, name, change, before, after } = difference;
  const owner = namespace === undefined ? "" : `${namespace}/`;
  const head = `${SIGNS[change]} ${kind.toLowerCase()}/${owner}${name}`;
  if (before === undefined || after === undefined) return [head];
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const paths = [...new Set([...was.keys(), ...is.keys()])].toSorted();
  const changed = paths.filter((path) => was.get(path) !== is.get(path));
  return [
    head,
    ...changed.map(
      (path) => `    ${path}: ${was.get(path) ?? "(none)"} → ${is.get(path) ?? "(none)"}`,
    ),
  ];
}

/** Every field by its path, as text; what changes with every write is left out. */
function fieldsOf(object: ShownObject): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const { resourceVersion: _, ...metadata } = withoutManagedFields(object).metadata;
  const walk = (path: string, value: unknown): void => {
    if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        walk(path === "" ? name : `${path}.${name}`, inner);
      }
    } else fields.set(path, String(value));
  };
  walk("", { metadata, spec: object.spec, status: object.status });
  return fields;
}
