/** `berth get`: lists objects, or shows one, and with -w what becomes of them. */
import { type Command, Option } from "commander";
import type { ApiClient } from "../client/api-client.ts";
import {
  type ShownList,
  type ShownObject,
  type ShownTable,
  TABLE_TYPE,
  withoutManagedFields,
} from "../../steering/api-object.ts";
import { columns } from "../client/columns.ts";
import { connect } from "../client/connect.ts";
import { locateIn, parseReference } from "../client/locate.ts";
import { collectionPath, findResource, listResources, type Resource } from "../client/resources.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { headings, rowsOf, type TableOptions, tableText } from "../client/table-text.ts";
import { watchEvents } from "../client/watch-events.ts";
import { UserError } from "../../shell/errors.ts";
import { barWidthFor, inColour, withStageBars } from "../text/stage-bar.ts";
import type { Terminal } from "../main.ts";

export interface GetOptions extends ServerOptions {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly output?: "table" | "wide" | "json" | "yaml" | "name";
  readonly watch?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly at?: string;
  readonly revision?: string;
}

export function registerGet(program: Command, terminal: Terminal): void {
  const command = program
    .command("get <kind> [name]")
    .description("list objects of all tenants or one tenant, or show one")
    .option("-n, --namespace <tenant>", "show only objects of this tenant")
    .option("-A, --all-namespaces", "show objects of all tenants (the default)")
    .addOption(
      new Option("-o, --output <form>", "output format")
        .choices(["table", "wide", "json", "yaml", "name"])
        .default("table"),
    )
    .option("-w, --watch", "watch for changes until interrupted")
    .option("-l, --selector <labels>", "label selector, such as app=web,tier!=cache")
    .option("--field-selector <fields>", "field selector, such as status.node=n1")
    .option(
      "--at <time>",
      "show the state at this time (2030-01-31T12:00:00Z), or this long ago (10m)",
    )
    .option("--revision <n>", "show the state at this revision");
  addServerOptions(command).action((kind: string, name: string | undefined, options: GetOptions) =>
    get(name === undefined ? [kind] : [kind, name], options, terminal),
  );
}

/** What is asked for, once the words have been understood. */
interface Wanted {
  readonly resource: Resource;
  readonly path: string;
  /** Selects one object of the collection, if one was named. */
  readonly name: string | undefined;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly table: TableOptions;
}

export async function get(
  words: readonly string[],
  options: GetOptions,
  terminal: Terminal,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (options.allNamespaces === true && options.namespace !== undefined) {
    throw new UserError("bad-usage", "-n and -A cannot be used together.");
  }
  const isPast = options.at !== undefined || options.revision !== undefined;
  if (isPast && options.watch === true) {
    throw new UserError("bad-usage", "-w cannot be used with --at or --revision.");
  }
  const client = connect(options);
  const then = isPast ? await momentOf(client, options) : {};
  const all = await wantedOf(client, words, options, then);
  const [first, ...others] = all;
  if (options.watch === true) {
    if (first === undefined || others.length > 0) {
      throw new UserError("bad-usage", "-w watches exactly one kind; name one.");
    }
    await watch(client, first, { options, terminal, signal });
    return;
  }
  const texts = [];
  for (const wanted of all) texts.push(await textOf(client, wanted, { options, terminal }));
  terminal.out(texts.filter((text) => text !== "").join("\n"));
  if (texts.every((text) => text === "")) terminal.err(nothingFound(all, options));
}

/** What asks for exactly the objects of a moment. */
async function momentOf(client: ApiClient, { at, revision }: GetOptions): Promise<Wanted["query"]> {
  const query = { at, revision };
  const found = await client.get<{ readonly revision: number }>("/revisions", { query });
  return { resourceVersion: String(found.revision), resourceVersionMatch: "Exact" };
}

async function wantedOf(
  client: ApiClient,
  words: readonly string[],
  options: GetOptions,
  then: Wanted["query"],
): Promise<readonly Wanted[]> {
  const reference = parseReference(words, options.namespace);
  const known = await listResources(client);
  const resources = reference.kind.split(",").flatMap((word) => {
    const inCategory = known.filter(({ categories }) => categories.includes(word));
    return inCategory.length > 0 ? inCategory : [findResource(known, word)];
  });
  const isWide = options.output === "wide";
  const { selector: labelSelector, fieldSelector } = options;
  const query = { labelSelector, fieldSelector, ...then };
  return Promise.all(
    resources.map(async (resource): Promise<Wanted> => {
      const prefix = resources.length > 1 ? { prefix: resource.singular } : {};
      if (reference.name === undefined) {
        const { namespace } = reference;
        const withNamespace = resource.isNamespaced && namespace === undefined;
        const path = collectionPath(resource, namespace);
        return {
          resource,
          path,
          name: undefined,
          query,
          table: { isWide, withNamespace, ...prefix },
        };
      }
      const located = await locateIn(client, resource, reference);
      const path = collectionPath(resource, located.namespace);
      const table = { isWide, withNamespace: false, ...prefix };
      return { resource, path, name: located.name, query, table };
    }),
  );
}

async function textOf(
  client: ApiClient,
  wanted: Wanted,
  { options, terminal }: Pick<WatchTo, "options" | "terminal">,
): Promise<string> {
  const { name, path, query, resource } = wanted;
  const { output = "table" } = options;
  const at = name === undefined ? path : `${path}/${encodeURIComponent(name)}`;
  const isTable = output === "table" || output === "wide";
  if (isTable) {
    const found = await client.get<ShownTable>(at, { query, accept: TABLE_TYPE });
    return found.rows.length === 0 ? "" : fittingText(found, wanted, terminal);
  }
  const found = await client.get<ShownList | ShownObject>(at, { query });
  const shown =
    "items" in found
      ? { ...found, items: found.items.map(withoutManagedFields) }
      : withoutManagedFields(found);
  if (output === "json") return `${JSON.stringify(shown, undefined, 2)}\n`;
  // Loaded only here: it takes as long as all the rest of the command.
  if (output === "yaml") return (await import("../../text/yaml-text.ts")).yamlText(shown);
  const objects = "items" in shown ? shown.items : [shown];
  return objects
    .map(({ metadata }) => {
      const owner = resource.isNamespaced ? `${metadata.namespace ?? ""}/` : "";
      return `${resource.singular}/${owner}${metadata.name}\n`;
    })
    .join("");
}

/** Workloads have a bar, as wide as there is room for. */
function fittingText(found: ShownTable, { resource, table }: Wanted, terminal: Terminal): string {
  if (resource.kind !== "Workload") return tableText(found, table);
  const lines = tableText(withStageBars(found), table).split("\n");
  const text = tableText(withStageBars(found, barWidthFor(lines, terminal.width)), table);
  return terminal.hasColour === true ? inColour(text) : text;
}

function nothingFound(all: readonly Wanted[], { namespace, selector }: GetOptions): string {
  const kinds = all.map(({ resource }) => resource.plural).join(", ");
  const where = namespace === undefined ? "" : ` in ${namespace}`;
  const which = selector === undefined ? "" : ` with ${selector}`;
  return `No ${kinds} found${where}${which}.\n`;
}

interface WatchTo {
  readonly options: GetOptions;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/**
 * First what is there, then a row for every change. Deleted objects are shown as they last were.
 */
async function watch(client: ApiClient, wanted: Wanted, to: WatchTo): Promise<void> {
  const { output = "table" } = to.options;
  if (output !== "table" && output !== "wide") {
    throw new UserError("bad-usage", "-w prints a table only; use no -o, or -o wide.");
  }
  const { path, name, table } = wanted;
  const selected = name === undefined ? {} : { fieldSelector: `metadata.name=${name}` };
  const ask = { query: { ...wanted.query, ...selected }, accept: TABLE_TYPE };
  const isBarred = wanted.resource.kind === "Workload";
  const shownTable = (found: ShownTable) => (isBarred ? withStageBars(found) : found);
  const paint = (text: string) =>
    isBarred && to.terminal.hasColour === true ? inColour(text) : text;
  let widths: readonly string[] = [];
  for (let isFirst = true; !to.signal.aborted; isFirst = false) {
    const list = shownTable(await client.get<ShownTable>(path, ask));
    if (isFirst) {
      const rows = [headings(list, table), ...rowsOf(list, table)];
      to.terminal.out(paint(columns(rows)));
      widths = widest(rows);
    }
    const from = list.metadata.resourceVersion ?? "0";
    for await (const event of watchEvents(client, { path, from, ask, signal: to.signal })) {
      if (event.kind === "disconnected") to.terminal.err(`${event.message}\n`);
      if (event.kind !== "changed") continue;
      const rows = rowsOf(shownTable(event.object as ShownTable), table);
      for (const row of rows) {
        const deleted = event.type === "DELETED" ? "   (deleted)" : "";
        to.terminal.out(paint(`${padded(row, widths)}${deleted}\n`));
      }
    }
  }
}

/** The widest cell of each column stands for its width. */
function widest(rows: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = rows;
  return first.map((_, at) =>
    rows.reduce(
      (longest, row) => ((row[at] ?? "").length > longest.length ? (row[at] ?? "") : longest),
      "",
    ),
  );
}

const padded = (row: readonly string[], widths: readonly string[]): string =>
  columns([widths, row]).split("\n")[1] ?? "";
