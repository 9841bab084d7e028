/** `berth policy diff`: in what two revisions differ, a line for each field. */
import { connect } from "../client/connect.ts";
import type { ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { differenceHead, revisionDifferences } from "../../steering/revision-differences.ts";
import { readRevision } from "../../steering/shown-policy.ts";

export async function diffRevisions(
  [one, other]: readonly [string, string],
  options: ServerOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const { spec: before = {} } = await readRevision(client, one);
  const { spec: after = {} } = await readRevision(client, other);
  const found = revisionDifferences(before, after);
  const lines = found.map(({ field, from, to }) => `  ${field}: ${from} -> ${to}`);
  terminal.out(`${[differenceHead(one, other, found.length), ...lines].join("\n")}\n`);
}
