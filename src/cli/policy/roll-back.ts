/**
 * `berth policy rollback`: puts the revision of before in force, and says before and after which of
 * preserve, drain and repair happens to decisions of the revision before.
 */
import { ownCommand } from "../text/own-command.ts";
import { textOf } from "../../steering/api-object.ts";
import { actingAs } from "../client/acting-as.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import type { MoveOptions } from "../commands/policy.ts";
import { sendActivation } from "./activate.ts";
import {
  boundUnder,
  budgetLines,
  type Leaving,
  revisionBefore,
  rollbackLines,
} from "../../steering/rollback-plan.ts";
import {
  inForce,
  readAll,
  readBindings,
  readPolicy,
  readRevision,
  type ShownPolicy,
} from "../../steering/shown-policy.ts";

export interface RollBackOptions extends MoveOptions {
  readonly to?: string;
  readonly dryRun?: boolean;
}

export async function rollBackPolicy(
  name: string,
  options: RollBackOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const seen = await readPolicy(client, name);
  const { region, reason = "rollback" } = options;
  const from = inForce(seen, region);
  const to = options.to ?? before(seen, region);
  await checkEarlier(client, { from, to });
  const where = region === undefined ? "everywhere" : `in ${region}`;
  terminal.out(`policy/${name}: rollback from ${from} to ${to}, ${where}\n`);
  terminal.out(await planText(client, { policy: name, region, from }));
  if (options.dryRun === true) {
    terminal.out("dry run: nothing was changed\n");
    return;
  }
  const { name: by } = await actingAs(client, options);
  await sendActivation(client, { seen, region, to, reason, by });
  terminal.out(`policy/${name}: ${to} is active ${where}\n`);
  terminal.out(await planText(client, { policy: name, region, from }));
}

/** Names the way out where there is none to go back to. */
function before(seen: ShownPolicy, region: string | undefined): string {
  const to = revisionBefore(seen, region);
  if (to !== "") return to;
  const found = `policy/${seen.name} has no previous revision`;
  throw new UserError(
    "bad-usage",
    `${found}; choose one with --to, see \`${ownCommand()} policy list\`.`,
  );
}

async function checkEarlier(
  client: ApiClient,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const madeAt = async (name: string): Promise<number> =>
    Number((await readRevision(client, name)).status?.["madeAt"] ?? 0);
  if ((await madeAt(to)) < (await madeAt(from))) return;
  const found = `${to} is not earlier than ${from}`;
  throw new UserError(
    "bad-usage",
    `${found}; use \`${ownCommand()} policy activate\` to move forward.`,
  );
}

async function planText(client: ApiClient, leaving: Leaving): Promise<string> {
  const { spec = {} } = await readRevision(client, leaving.from);
  const regions = new Map(
    (await readAll(client, "nodes")).map(({ metadata, spec: of = {} }) => [
      metadata.name,
      textOf(of["region"]),
    ]),
  );
  const bound = boundUnder(leaving, await readBindings(client), regions);
  const budgets = await readAll(client, "recoverybudgets");
  const lines = [...rollbackLines(spec["onRollback"], bound), ...budgetLines(budgets.length)];
  return [...lines.map((line) => `  ${line}`), ""].join("\n");
}
