/** What must hold between what a template asks of its driver (OB5), as people write it. */
import type { WrittenTemplate } from "./fields/template-fields.ts";
import type { BrokenRule } from "./kind-definition.ts";

const broken = (field: string, found: string, expected: string): BrokenRule => ({
  field,
  found,
  expected,
  message: `found ${found}; expected ${expected}.`,
});

/** A plain process is on its node as any other is. */
export function isolatedProcess({ driver, run }: WrittenTemplate): BrokenRule | undefined {
  if (driver !== "process") return undefined;
  const { network, disk } = run;
  if (network === undefined && disk === undefined) return undefined;
  const what = network === undefined ? "run.disk" : "run.network";
  return broken("driver", "process", `sandbox or image beside ${what}`);
}

/** Nothing could connect to the port, and no probe either. */
export function portsWithoutNetwork({ run }: WrittenTemplate): BrokenRule | undefined {
  const { network, ports = [], fixedPorts = {} } = run;
  if (network === undefined) return undefined;
  if (ports.length === 0 && Object.keys(fixedPorts).length === 0) return undefined;
  return broken("run.network", network, "node beside run.ports: no other network has ports");
}

export const writableNothing = ({ run }: WrittenTemplate): BrokenRule | undefined =>
  run.writable === undefined || run.image !== undefined
    ? undefined
    : broken("run.writable", "no image", "run.image, whose files it is about");
