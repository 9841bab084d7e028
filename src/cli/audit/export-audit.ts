/** `berth audit --export`: every entry that is kept, oldest first, as lines that hang together. */
import { openSync, closeSync, writeSync } from "node:fs";
import type { AuditEntry } from "../../api/audit/audit-entry.ts";
import { LineChain } from "../../api/audit/line-chain.ts";
import type { AuditPage } from "../../api/audit/read-audit.ts";
import type { ChainHead } from "../../host/store/chain-link.ts";
import type { AuditOptions } from "../commands/audit.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { asWritten } from "../text/terminal-text.ts";
import type { ExportEnd } from "./export-lines.ts";

/** As many as a plane gives at once. */
const PAGE = "1000";
/** It says who did what, and may quote what people wrote as reasons. */
const OWNER_ONLY = 0o600;

export async function exportAudit(
  file: string,
  options: AuditOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const { actor, kind, key } = options;
  const filter = Object.fromEntries(
    Object.entries({ actor, kind, key }).filter(([, value]) => value !== undefined),
  ) as Readonly<Record<string, string>>;
  const head = await headOf(client);
  const { pages, says, revision } = await pagesOf(client, filter, head);
  const chain = new LineChain();
  const count = pages.reduce((sum, page) => sum + page.length, 0);
  const end: ExportEnd = {
    type: "end",
    count,
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    revision,
    ...(head === undefined ? {} : { head }),
    says,
  };
  writeLines(file, terminal, linesOf(chain, pages, end));
  terminal.err(
    `Exported ${count} entries up to revision ${revision}. ${says}\nStore this head elsewhere, to verify the file with --verify-file FILE --head HEAD: ${revision}:${chain.chain}\n`,
  );
}

/** Undefined from a plane that keeps no chain. */
async function headOf(client: ApiClient): Promise<ChainHead | undefined> {
  try {
    const { revision, hash } = await client.get<ChainHead>("/audit/head");
    return { revision, hash };
  } catch (error) {
    if (error instanceof UserError && error.code === "request-refused") return undefined;
    throw error;
  }
}

/** Newest first, as a plane tells them. All are held: a store keeps some tens of thousands. */
async function pagesOf(
  client: ApiClient,
  filter: Readonly<Record<string, string>>,
  head: ChainHead | undefined,
): Promise<{
  readonly pages: readonly (readonly AuditEntry[])[];
  readonly says: string;
  readonly revision: number;
}> {
  const pages: (readonly AuditEntry[])[] = [];
  let before = head === undefined ? undefined : String(head.revision + 1);
  let revision = head?.revision;
  for (;;) {
    const query = { ...filter, limit: PAGE, before };
    const page = await client.get<AuditPage>("/audit", { query });
    revision ??= page.revision;
    pages.push(page.entries);
    if (page.next === undefined) return { pages, says: page.says, revision };
    before = String(page.next);
  }
}

function* linesOf(
  chain: LineChain,
  pages: readonly (readonly AuditEntry[])[],
  end: ExportEnd,
): Generator<string> {
  for (const page of pages.toReversed()) {
    for (const entry of page.toReversed()) yield `${chain.line(entry)}\n`;
  }
  yield `${chain.line(end)}\n`;
}

export function writeLines(file: string, terminal: Terminal, lines: Iterable<string>): void {
  if (file === "-") {
    for (const line of lines) terminal.out(asWritten(line));
    return;
  }
  try {
    const to = openSync(file, "w", OWNER_ONLY);
    try {
      for (const line of lines) writeSync(to, line);
    } finally {
      closeSync(to);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("unwritable-file", `${reason}.`, { file });
  }
}
