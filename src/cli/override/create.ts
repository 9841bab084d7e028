/**
 * `berth override create`: says what, to what, why and for how long; whose it is the plane notes.
 */
import { ownCommand } from "../text/own-command.ts";
import type { OverrideTarget } from "../../core/model/override.ts";
import { actingAs } from "../client/acting-as.ts";
import type { ShownObject } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import type { OverrideOptions } from "../commands/override.ts";
import { readWholeNumber } from "../../shell/read-whole-number.ts";
import { overrideName } from "../../steering/override-name.ts";
import { OVERRIDES, untilOf } from "./shown-override.ts";

export interface CreateOptions extends OverrideOptions {
  readonly reason: string;
  readonly ttl: string;
  readonly name?: string;
  readonly region?: string;
  readonly zone?: string;
  readonly node?: string;
  readonly tenant?: string;
  readonly workload?: string;
  readonly all?: boolean;
  readonly by?: string;
  readonly postcondition?: string;
}

export async function createOverride(
  action: string,
  options: CreateOptions,
  terminal: Terminal,
): Promise<void> {
  const target = targetOf(options);
  const { reason, ttl, by, postcondition } = options;
  const spec = {
    action,
    ...(Object.keys(target).length === 0 ? {} : { target }),
    reason,
    ttl,
    ...(by === undefined ? {} : { amount: readWholeNumber("--by", by) }),
    ...(postcondition === undefined ? {} : { postcondition: readPostcondition(postcondition) }),
  };
  const client = connect(options);
  const { name: as } = await actingAs(client, options);
  const name = options.name ?? overrideName(action, target);
  const made = await client.send<ShownObject>("POST", OVERRIDES, {
    body: { apiVersion: "berth.dev/v1", kind: "Override", metadata: { name }, spec },
    query: { fieldManager: "berth", fieldValidation: "Strict" },
    as,
  });
  const end = `ends ${untilOf(made)}, or with \`${ownCommand()} override release ${name}\``;
  terminal.out(`override/${name} created by ${as}; it ${end}\n`);
}

function targetOf(options: CreateOptions): OverrideTarget {
  const { region, zone, node, tenant, workload, all } = options;
  const given = { region, zone, node, tenant, workload };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  if (all === true && named.length > 0) {
    throw new UserError("bad-usage", `--all and --${named[0]?.[0]} cannot be used together.`);
  }
  if (all !== true && named.length === 0) {
    const choices = "--region, --zone, --node, --tenant, --workload or --all";
    throw new UserError("bad-usage", `No target given; expected ${choices}.`);
  }
  const { workload: _, ...rest } = Object.fromEntries(named) as OverrideTarget;
  return workload === undefined ? rest : { ...rest, ...readWorkload(workload, tenant) };
}

function readWorkload(text: string, tenant: string | undefined): OverrideTarget {
  const [owner, workload, ...rest] = text.split("/");
  if (owner === undefined || workload === undefined || rest.length > 0) {
    throw new UserError("bad-usage", `--workload: found "${text}", expected tenant/name.`);
  }
  if (tenant !== undefined && tenant !== owner) {
    const found = `found ${text}, and --tenant ${tenant}`;
    throw new UserError("bad-usage", `--workload: ${found}; expected one tenant.`);
  }
  return { tenant: owner, workload };
}

function readPostcondition(text: string): Readonly<Record<string, string | number>> {
  const found = /^(?:serving:?\s*)?([^/\s]+)\/([^\s>=≥]+)\s*(?:>=|≥)\s*(\d+)$/.exec(text.trim());
  if (found === null) {
    const expected = "tenant/workload>=N, such as payments/risk-api>=4";
    throw new UserError("bad-usage", `--postcondition: found "${text}", expected ${expected}.`);
  }
  const [, tenant = "", workload = "", serving = "0"] = found;
  return { tenant, workload, serving: Number(serving) };
}
