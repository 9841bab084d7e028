/** What the agent's logic is told of a process that an earlier agent has written down. */
import type { AdoptedProcess } from "../../core/kernel/component.ts";
import type { ProcessRecord } from "./process-folder.ts";

export function adopted(record: ProcessRecord): AdoptedProcess {
  const { replica, uid, incarnation, permittedAt, leashed, asked, address } = record;
  const known = { replica, uid, incarnation, permittedAt, leashed, asked };
  return address === undefined ? known : { ...known, address };
}
