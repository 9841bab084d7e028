/** Makes of what was configured those who can be asked for machines. */
import { join } from "node:path";
import { ExecProvisioner } from "../../host/provision/exec-provisioner.ts";
import { HttpProvisioner } from "../../host/provision/http-provisioner.ts";
import type { Provisioner } from "../../host/provision/provision-protocol.ts";
import { readInput } from "../../shell/read-input.ts";
import { LocalProvisioner } from "./local-provisioner.ts";
import type { ProvisionerPlan } from "./provisioner-plan.ts";

export interface OpenedIn {
  /** Of the plane. */
  readonly folder: string;
  readonly onNote: (sentence: string) => void;
}

export function openProvisioners(
  plans: readonly ProvisionerPlan[],
  at: OpenedIn,
): ReadonlyMap<string, Provisioner> {
  return new Map(plans.map((plan) => [plan.name, openOne(plan, at)]));
}

function openOne(plan: ProvisionerPlan, { folder, onNote }: OpenedIn): Provisioner {
  switch (plan.kind) {
    case "exec":
      return new ExecProvisioner(plan);
    case "local":
      return new LocalProvisioner({ folder: plan.folder ?? join(folder, "agents"), onNote });
    case "http":
      return openHttp(plan);
  }
}

function openHttp(plan: Extract<ProvisionerPlan, { kind: "http" }>): Provisioner {
  const { url, timeoutMs, tokenFile, caFile } = plan;
  const readToken = tokenFile === undefined ? undefined : () => readInput(tokenFile).trim();
  const readCa = caFile === undefined ? undefined : () => readInput(caFile);
  // A file that cannot be read is a mistake to show now, and not when the first machine is wanted.
  readToken?.();
  readCa?.();
  return new HttpProvisioner({
    url,
    timeoutMs,
    ...(readToken === undefined ? {} : { readToken }),
    ...(readCa === undefined ? {} : { readCa }),
  });
}
