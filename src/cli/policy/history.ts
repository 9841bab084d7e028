/** `berth policy history`: who moved the pointer when, from where to where, and why. */
import { columns } from "../client/columns.ts";
import { connect } from "../client/connect.ts";
import type { ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { readPolicy, type ShownMove } from "../../steering/shown-policy.ts";

export async function showPolicyHistory(
  name: string,
  options: ServerOptions,
  terminal: Terminal,
): Promise<void> {
  const { history } = await readPolicy(connect(options), name);
  if (history.length === 0) {
    terminal.out(`policy/${name} uses its own scoring; no revision was ever activated\n`);
    return;
  }
  const head = ["WHEN", "WHERE", "FROM", "TO", "BY", "WHY"];
  terminal.out(columns([head, ...history.map(rowOf)]));
}

function rowOf({ time, region, from, to, by, reason, rollback }: ShownMove): string[] {
  const plan = Object.entries(rollback ?? {}).map(([effect, way]) => `${effect}: ${way}`);
  const why = rollback === undefined ? reason : `${reason} (rollback; ${plan.join(", ")})`;
  return [time, region || "everywhere", from || "(none)", to, by, why];
}
