/**
 * Events as one caller may read them. Those of objects that belong to no tenant are listed under
 * the namespace `default`, as in Kubernetes; a role there does not let its holder read about nodes.
 */
import { KINDS } from "../../core/model/ids.ts";
import type { EventRecord } from "../events/event-log.ts";
import type { Sight } from "./sight.ts";

export function seesEvent({ about, meta }: EventRecord, sight: Sight): boolean {
  const { namespace, name } = about;
  const kind = KINDS.find((each) => each === about.kind);
  // What a client wrote about a kind of its own is its namespace's.
  if (kind === undefined || namespace === meta.namespace) return true;
  return sight.sees({ kind, namespace, name });
}

export const eventSeen = (record: EventRecord, sight: Sight): EventRecord =>
  record.isWritten ? record : { ...record, message: sight.text(record.message) };
