/** What the driver is told of a process that may begin. */
import type { AgentEffect } from "../kernel/component.ts";
import type { Revision } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";

export function startOf(
  { key, meta, spec, status }: Replica,
  how: { readonly leashed: boolean; readonly permittedAt: Revision },
): AgentEffect {
  const { workload, index, template } = spec;
  const { incarnation, deviceIds } = status;
  const of = { replica: key, uid: meta.uid, incarnation, workload, index, deviceIds, template };
  return { kind: "start-process", ...of, ...how };
}
