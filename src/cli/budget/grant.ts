/**
 * `berth budget grant`: how much, where, for whom, why and for how long; whose it is the plane
 * notes.
 */
import { ownCommand } from "../text/own-command.ts";
import { actingAs } from "../client/acting-as.ts";
import type { ApiClient } from "../client/api-client.ts";
import { type ShownList, type ShownObject, statusText } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import { Refusal } from "../client/refusal.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import type { BudgetOptions } from "../commands/budget.ts";
import { recoveryBudgetName } from "../../steering/recovery-budget-name.ts";
import {
  amountsText,
  BUDGETS,
  forText,
  holdersText,
  NO_RESERVE,
  RESERVE,
  type ShownReserve,
  untilText,
} from "../../steering/shown-recovery-budget.ts";

export interface GrantOptions extends BudgetOptions {
  readonly cpu: string;
  readonly memory: string;
  readonly devices?: string;
  readonly tenant?: readonly string[];
  readonly class?: readonly string[];
  readonly ttl: string;
  readonly reason: string;
  readonly name?: string;
}

export async function grantBudget(
  region: string,
  options: GrantOptions,
  terminal: Terminal,
): Promise<void> {
  const { cpu, memory, devices, tenant: tenants, class: classes, ttl, reason } = options;
  const client = connect(options);
  await mustBeRegion(client, region);
  const { name: as } = await actingAs(client, options);
  const name = options.name ?? recoveryBudgetName(region, as);
  const spec = {
    region,
    cpu,
    memory,
    ...(devices === undefined ? {} : { devices }),
    ...(tenants === undefined ? {} : { tenants }),
    ...(classes === undefined ? {} : { classes }),
    ttl,
    reason,
  };
  const body = { apiVersion: "berth.dev/v1", kind: "RecoveryBudget", metadata: { name }, spec };
  const query = { fieldManager: "berth", fieldValidation: "Strict" };
  const made = await helped(client, client.send<ShownObject>("POST", BUDGETS, { body, query, as }));
  const whom = forText(spec);
  const end = `until ${untilText(statusText(made, "until"))}, or \`${ownCommand()} budget withdraw ${name}\``;
  terminal.out(
    `recoverybudget/${name} grants ${amountsText({ cpu, memory, devices: devices ?? 0 })} in ${region} to recoveries of ${whom}, granted by ${as}, ${end}\n`,
  );
}

interface ShownRegions {
  readonly regions: readonly { readonly name: string }[];
}

/**
 * The plane takes a region that is still to come; somebody who types one means one that is there.
 */
async function mustBeRegion(client: ApiClient, region: string): Promise<void> {
  const { regions } = await client.get<ShownRegions>("/capacity");
  const { items } = await client.get<ShownList>("/apis/berth.dev/v1/regions");
  const names = [...regions.map(({ name }) => name), ...items.map(({ metadata }) => metadata.name)];
  const known = [...new Set(names)].toSorted();
  if (known.includes(region)) return;
  const there =
    known.length === 0 ? "There are no regions yet." : `Known regions: ${known.join(", ")}.`;
  throw new UserError(
    "not-found",
    `Unknown region "${region}". ${there} For a region that does not exist yet, apply a budget manifest with \`${ownCommand()} apply\`.`,
  );
}

/** A grant beyond the reserve is answered with the free amount and the holders of the rest. */
export async function helped<T>(client: ApiClient, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const causes = error instanceof Refusal ? (error.status.details.causes ?? []) : [];
    if (!causes.some(({ reason }) => reason === "budget-reserve")) throw error;
    const reserve = await client.get<ShownReserve>(RESERVE);
    const help = reserve.isBudgeted
      ? `Of the reserve of ${amountsText(reserve.reserve)}, ${amountsText(reserve.free)} are free: ${holdersText(reserve)}. Grant less, or withdraw one.`
      : NO_RESERVE;
    throw new UserError("request-refused", `${causes[0]?.message ?? ""}\n${help}`);
  }
}
