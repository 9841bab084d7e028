/** `berth audit`: who wrote what and when, the newest last, and with --watch what comes after it. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, Option } from "commander";
import { ACTOR_KINDS, type AuditEntry } from "../api/audit/audit-entry.ts";
import type { AuditPage } from "../api/audit/read-audit.ts";
import type { ApiClient } from "./client/api-client.ts";
import { recordOf, textOf } from "./client/api-object.ts";
import { connect } from "./client/connect.ts";
import { addServerOptions, type ServerOptions } from "./client/server-options.ts";
import { isPassing } from "./client/watch-events.ts";
import { UserError } from "./errors.ts";
import type { Terminal } from "./main.ts";
import { printable } from "./printable.ts";

export interface AuditOptions extends ServerOptions {
  readonly watch?: boolean;
  readonly actor?: string;
  readonly kind?: string;
  readonly key?: string;
  readonly limit?: string;
  readonly before?: string;
  readonly json?: boolean;
}

/** About a screen. */
const BY_DEFAULT = "50";
/** As soon as every other watch comes back. */
const RECONNECT_MS = 300;

export function registerAudit(program: Command, terminal: Terminal): void {
  const command = program
    .command("audit")
    .description("show who wrote what and when, the newest last; heartbeats are left out")
    .option("-w, --watch", "go on with what is new, until you stop it")
    .option("--actor <name>", "only what this one did")
    .addOption(new Option("--kind <kind>", "only what such actors did").choices(ACTOR_KINDS))
    .option("--key <object>", "only about one object, such as workload/shop/api or node/n1")
    .option("--limit <n>", "so many at most", BY_DEFAULT)
    .option("--before <revision>", "only what is older than a revision")
    .option("--json", "one entry on each line, as the plane tells it");
  addServerOptions(command).action((options: AuditOptions) => audit(options, terminal));
}

export async function audit(
  options: AuditOptions,
  terminal: Terminal,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (options.watch === true && options.before !== undefined) {
    throw new UserError("bad-usage", "-w goes on from now; leave out --before.");
  }
  const client = connect(options);
  const { actor, kind, key, limit, before } = options;
  const query = { actor, kind, key };
  const page = await client.get<AuditPage>("/audit", { query: { ...query, limit, before } });
  for (const entry of page.entries.toReversed()) terminal.out(lineOf(entry, options));
  if (options.watch === true) {
    await follow(client, { query, after: page.revision, options, terminal, signal });
  } else if (page.entries.length === 0) {
    terminal.err(`Nobody wrote anything of that kind. ${page.says}\n`);
  } else if (page.next !== undefined) {
    terminal.err(`There is more: --before ${page.next}.\n`);
  }
}

interface Following {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly after: number;
  readonly options: AuditOptions;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Through lost connections and restarts of the plane; ends when it is told to. */
async function follow(client: ApiClient, of: Following): Promise<void> {
  const { terminal, options, signal } = of;
  let { after } = of;
  while (!signal.aborted) {
    // The client looks for silence where a plane promises to say how far it has come.
    const promised = { watch: "true", allowWatchBookmarks: "true" };
    const query = { ...of.query, ...promised, after: String(after) };
    try {
      for await (const line of client.lines("/audit", { query }, signal)) {
        const { type, revision } = recordOf(line);
        if (textOf(type) === "entry") terminal.out(lineOf(line as AuditEntry, options));
        after = Number(revision);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof UserError) || !isPassing(error)) throw error;
      terminal.err(`${error.message}\n`);
    }
    await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Wide enough for most names; a longer one moves its own line only. */
const ACTOR_WIDTH = 22;
const REVISION_WIDTH = 8;

function lineOf(entry: AuditEntry, { json }: AuditOptions): string {
  if (json === true) return `${JSON.stringify(entry)}\n`;
  const { revision, time, actor, summary, evidence } = entry;
  const why = evidence === undefined || summary.includes(evidence) ? "" : ` (${evidence})`;
  const who = `${actor.kind} ${actor.name}`.padEnd(ACTOR_WIDTH);
  const text = `${String(revision).padStart(REVISION_WIDTH)}  ${time}  ${who}  ${summary}${why}`;
  // A reason may hold anything; it must not look like another line of this.
  return `${printable(text)}\n`;
}
