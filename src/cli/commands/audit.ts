/**
 * `berth audit`: who wrote what and when, the newest last, and with --watch what comes after it.
 * Verifying and exporting it is in `audit/`, and loaded only when it is asked for.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, Option } from "commander";
import { ACTOR_KINDS, type AuditEntry } from "../../api/audit/audit-entry.ts";
import { credentialMark } from "../../api/audit/credential-text.ts";
import type { AuditPage } from "../../api/audit/read-audit.ts";
import { type ChainHead, readHeadText } from "../../host/store/chain-link.ts";
import type { ApiClient } from "../client/api-client.ts";
import { recordOf, textOf } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { isPassing } from "../client/watch-events.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { printable } from "../../text/printable.ts";

export interface AuditOptions extends ServerOptions {
  readonly watch?: boolean;
  readonly actor?: string;
  readonly kind?: string;
  readonly key?: string;
  readonly limit?: string;
  readonly before?: string;
  readonly json?: boolean;
  /** True: to be shown; a text: to be held against. */
  readonly head?: boolean | string;
  readonly verify?: boolean;
  readonly store?: string;
  readonly export?: string;
  readonly verifyFile?: string;
  readonly refused?: boolean;
}

const MORE = `
Every batch of the log carries the hash of all batches before it. Store the output of --head
somewhere else from time to time: --verify --head REVISION:HASH then detects any change that
was made before it. The exit code is 1 when verification fails.`;

/** About a screen. */
const BY_DEFAULT = "50";
/** As soon as every other watch comes back. */
const RECONNECT_MS = 300;

export function registerAudit(program: Command, terminal: Terminal): void {
  const command = program
    .command("audit")
    .description("show who changed what and when, without heartbeats")
    .option("-w, --watch", "watch for new entries until interrupted")
    .option("--actor <name>", "show only entries of this actor")
    .addOption(
      new Option("--kind <kind>", "show only entries of this kind of actor").choices(ACTOR_KINDS),
    )
    .option(
      "--key <object>",
      "show only entries of one object, such as workload/shop/api or node/n1",
    )
    .option("--limit <n>", "maximum number of entries", BY_DEFAULT)
    .option("--before <revision>", "show only entries before this revision; with --refused, a time")
    .option("--refused", "show the requests that the asked plane refused, with their counts")
    .option("--json", "print one entry per line as JSON")
    .option("--verify", "verify the hash chain of the log")
    .option(
      "--head [revision:hash]",
      "print the head of the chain; with --verify, a head to check against",
    )
    .option(
      "--store <where>",
      "store to verify while its plane is stopped: sqlite or etcd://HOST:PORT,…",
    )
    .option(
      "--export <file>",
      "export every entry as a line of JSON to a file, or - for standard output",
    )
    .option(
      "--verify-file <file>",
      "verify an exported file; with --head, against the head that the export printed",
    );
  addServerOptions(command)
    .addHelpText("after", MORE)
    .action((options: AuditOptions) => run(options, terminal));
}

async function run(options: AuditOptions, terminal: Terminal): Promise<void> {
  const { verify, head, store, verifyFile } = options;
  const asked = [verify === true, options.export !== undefined, verifyFile !== undefined];
  if (asked.filter(Boolean).length > 1) {
    throw new UserError(
      "bad-usage",
      "--verify, --export and --verify-file cannot be used together.",
    );
  }
  if (store !== undefined && verify !== true && head !== true) {
    throw new UserError("bad-usage", "--store can be used with --verify and --head only.");
  }
  if (verifyFile !== undefined) {
    const file = await import("../audit/verify-file.ts");
    return file.verifyFile(verifyFile, keptHead(head), terminal);
  }
  if (options.refused === true) {
    const { refusedRequests } = await import("../audit/refused-requests.ts");
    return refusedRequests(options, terminal);
  }
  if (options.export !== undefined) {
    const { exportAudit } = await import("../audit/export-audit.ts");
    return exportAudit(options.export, options, terminal);
  }
  if (verify !== true && head === undefined) return audit(options, terminal);
  const { showHead, verifyAudit } = await import("../audit/verify-audit.ts");
  if (verify === true) return verifyAudit(keptHead(head), options, terminal);
  if (head === true) return showHead(options, terminal);
  throw new UserError("bad-usage", "--head with a value requires --verify or --verify-file.");
}

/** The head to hold against; `--head` alone asks for nothing more here. */
function keptHead(head: AuditOptions["head"]): ChainHead | undefined {
  if (typeof head !== "string") return undefined;
  const read = readHeadText(head);
  if (read !== undefined) return read;
  throw new UserError("bad-usage", `--head: found "${head}", expected REVISION:HASH.`);
}

export async function audit(
  options: AuditOptions,
  terminal: Terminal,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (options.watch === true && options.before !== undefined) {
    throw new UserError("bad-usage", "-w cannot be used with --before.");
  }
  const client = connect(options);
  const { actor, kind, key, limit, before } = options;
  const query = { actor, kind, key };
  const page = await client.get<AuditPage>("/audit", { query: { ...query, limit, before } });
  for (const entry of page.entries.toReversed()) terminal.out(lineOf(entry, options));
  if (options.watch === true) {
    await follow(client, { query, after: page.revision, options, terminal, signal });
  } else if (page.entries.length === 0) {
    terminal.err(`No entries found. ${page.says}\n`);
  } else if (page.next !== undefined) {
    terminal.err(`More entries: --before ${page.next}.\n`);
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
  const mark = credentialMark(actor);
  const signed = mark === undefined ? "" : ` (${mark})`;
  const who = `${actor.kind} ${actor.name}${signed}`.padEnd(ACTOR_WIDTH);
  const text = `${String(revision).padStart(REVISION_WIDTH)}  ${time}  ${who}  ${summary}${why}`;
  // A reason may hold anything; it must not look like another line of this.
  return `${printable(text)}\n`;
}
