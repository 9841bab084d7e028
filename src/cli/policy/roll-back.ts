/**
 * `berth policy rollback`: puts the revision of before in force, and says before and after which of preserve, drain and
 * repair happens to what was decided under the one that is left.
 */
import { recordOf, textOf } from "../client/api-object.ts";
import { actingAs } from "../client/acting-as.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { UserError } from "../errors.ts";
import type { Terminal } from "../main.ts";
import type { MoveOptions } from "../policy.ts";
import { sendActivation } from "./activate.ts";
import {
  inForce,
  readAll,
  readBindings,
  readPolicy,
  readRevision,
  type ShownBinding,
  type ShownPolicy,
} from "./shown-policy.ts";

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
  terminal.out(`policy/${name}: from ${from} back to ${to}, ${where}\n`);
  terminal.out(await planText(client, { seen, region, from }));
  if (options.dryRun === true) {
    terminal.out("nothing was changed (--dry-run)\n");
    return;
  }
  const { name: by } = await actingAs(client, options);
  await sendActivation(client, { seen, region, to, reason, by });
  terminal.out(`policy/${name}: ${to} is in force ${where}\n`);
  terminal.out(await planText(client, { seen, region, from }));
}

/** What the last move to what is in force there replaced. */
function before(seen: ShownPolicy, region: string | undefined): string {
  const now = inForce(seen, region);
  const move = seen.history.findLast(
    (each) => each.to === now && (each.region === "" || each.region === region),
  );
  // A stage goes back to where all the others are.
  const to = region !== undefined && seen.stages.has(region) ? seen.active : (move?.from ?? "");
  if (to !== "") return to;
  const found = `policy/${seen.name} has no revision of before`;
  throw new UserError("bad-usage", `${found}; name one with --to, or look at berth policy list.`);
}

async function checkEarlier(
  client: ApiClient,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const madeAt = async (name: string): Promise<number> =>
    Number((await readRevision(client, name)).status?.["madeAt"] ?? 0);
  if ((await madeAt(to)) < (await madeAt(from))) return;
  const found = `${to} is not earlier than ${from}`;
  throw new UserError("bad-usage", `${found}; use berth policy activate to go on to it.`);
}

interface Leaving {
  readonly seen: ShownPolicy;
  readonly region: string | undefined;
  readonly from: string;
}

async function planText(client: ApiClient, { seen, region, from }: Leaving): Promise<string> {
  const plan = recordOf((await readRevision(client, from)).spec?.["onRollback"]);
  const regions = new Map(
    (await readAll(client, "nodes")).map(({ metadata, spec = {} }) => [
      metadata.name,
      textOf(spec["region"]),
    ]),
  );
  const bound = (await readBindings(client)).filter(
    ({ revision, policy, node }) =>
      revision === from &&
      policy === seen.name &&
      (region === undefined || regions.get(node) === region),
  );
  const bindings = textOf(plan["bindings"]) || "preserve";
  const reservations = textOf(plan["reservations"]) || "preserve";
  return [
    `  bindings: ${bindings}: ${bindingsText(bindings, bound)}`,
    `  reservations: ${reservations}: ${ROOM_TEXT[reservations] ?? ""}`,
    "",
  ].join("\n");
}

function bindingsText(way: string, bound: readonly ShownBinding[]): string {
  const services = bound.filter(({ type }) => type !== "batch").length;
  const batches = bound.length - services;
  const stay = batches === 0 ? "" : `; ${batches} of batches stay until they end`;
  if (way === "drain") {
    return `${services} replicas move, as fast as their workloads can spare them${stay}`;
  }
  if (way === "repair") {
    return `of ${services} replicas those move that break the spread now in force${stay}`;
  }
  return `${bound.length} replicas stay where they are`;
}

const ROOM_TEXT: Readonly<Record<string, string>> = {
  preserve: "room that is held stays held",
  drain: "room that is held is given back, and asked for anew",
  repair: "room is given back that those now in force would not let its owner ask for",
};
