/**
 * `berth audit --refused`: the requests that a plane has refused, the newest last; with --verify
 * whether the kept lines still hang together, and with --export all of them as a file that
 * --verify-file checks.
 */
import { LineChain } from "../../api/audit/line-chain.ts";
import type { RefusalsVerified } from "../../api/audit/refusal-archive.ts";
import type { ShownRefusal } from "../../api/access/refusals.ts";
import { UserError } from "../../shell/errors.ts";
import { printable } from "../../text/printable.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import type { AuditOptions } from "../commands/audit.ts";
import type { Terminal } from "../main.ts";
import { writeLines } from "./export-audit.ts";
import type { ExportEnd } from "./export-lines.ts";

interface RefusalsPage {
  readonly revision: number;
  readonly refusals: readonly ShownRefusal[];
  readonly next?: string;
}

const PATH = "/audit/refusals";
/** As many as a plane gives at once. */
const PAGE = "1000";

export async function refusedRequests(options: AuditOptions, terminal: Terminal): Promise<void> {
  const { actor: user, limit, before } = options;
  if (options.watch === true || options.key !== undefined || options.kind !== undefined) {
    throw new UserError("bad-usage", "--refused cannot be used with -w, --key and --kind.");
  }
  const client = connect(options);
  if (options.verify === true) return verify(client, terminal);
  if (options.export !== undefined) return exportAll(options.export, client, user, terminal);
  const page = await client.get<RefusalsPage>(PATH, { query: { user, limit, before } });
  for (const refusal of page.refusals.toReversed()) terminal.out(lineOf(refusal, options));
  if (page.refusals.length === 0) terminal.err("This plane has refused no request.\n");
  else if (page.next !== undefined) terminal.err(`More entries: --before ${page.next}.\n`);
}

async function verify(client: ApiClient, terminal: Terminal): Promise<void> {
  const found = await client.get<Partial<RefusalsVerified> & { readonly says?: string }>(
    `${PATH}/verify`,
  );
  const { lines, callers, broken, says } = found;
  if (says !== undefined) terminal.out(`${says}\n`);
  else if (broken === undefined) {
    terminal.out(
      `Verified ${lines} kept lines of ${callers} callers: each follows the one before it.\n`,
    );
  } else {
    terminal.out(
      `The refused requests were changed: ${broken} does not follow the line before it.\n`,
    );
    terminal.exitCode = 1;
  }
}

async function exportAll(
  file: string,
  client: ApiClient,
  user: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const pages: (readonly ShownRefusal[])[] = [];
  let before: string | undefined;
  let revision: number | undefined;
  do {
    const query = { user, limit: PAGE, before };
    const page: RefusalsPage = await client.get<RefusalsPage>(PATH, { query });
    pages.push(page.refusals);
    revision ??= page.revision;
    before = page.next;
  } while (before !== undefined);
  const count = pages.reduce((sum, page) => sum + page.length, 0);
  const chain = new LineChain();
  const end: ExportEnd = {
    type: "end",
    count,
    filter: { refused: "true", ...(user === undefined ? {} : { actor: user }) },
    revision,
    says: "These are the requests that this plane has refused, as far back as it keeps them.",
  };
  writeLines(file, terminal, linesOf(chain, pages, end));
  terminal.err(
    `Exported ${count} refused requests.\nStore this head elsewhere, to verify the file with --verify-file FILE --head HEAD: ${revision}:${chain.chain}\n`,
  );
}

function* linesOf(
  chain: LineChain,
  pages: readonly (readonly ShownRefusal[])[],
  end: ExportEnd,
): Generator<string> {
  for (const page of pages.toReversed()) {
    for (const refusal of page.toReversed()) {
      yield `${chain.line({ type: "refused", ...refusal })}\n`;
    }
  }
  yield `${chain.line(end)}\n`;
}

const USER_WIDTH = 22;

function lineOf(refusal: ShownRefusal, { json }: AuditOptions): string {
  if (json === true) return `${JSON.stringify(refusal)}\n`;
  const { time, user, credential, address, first, by, count } = refusal;
  const who = `${user}${credential === undefined ? "" : ` (${credential})`}`.padEnd(USER_WIDTH);
  const where = address === undefined ? "" : ` from ${address}`;
  const times = count === 1 ? "" : `, ${count} requests in that minute`;
  const why = by === "default" ? "no role allows it" : `rule ${by}`;
  return `${printable(`${time}  ${who}  ${first}${where}: ${why}${times}`)}\n`;
}
