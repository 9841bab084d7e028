/**
 * Entries of the audit trail as one caller may read them: those that changed an object that the
 * caller sees, with these objects alone. What else a commit changed is counted.
 */
import type { AuditEntry } from "../audit/audit-entry.ts";
import type { Sight } from "./sight.ts";
import { withoutOthers } from "../../core/access/without-others.ts";

export function entrySeen(entry: AuditEntry, sight: Sight): AuditEntry {
  if (sight.isWhole) return entry;
  const objects = entry.objects.filter(({ key }) => sight.seesShown(key));
  const hidden = entry.objects.length - objects.length;
  const [first] = entry.objects;
  const isFirstSeen = first !== undefined && objects[0] === first;
  const summary = isFirstSeen || first === undefined ? entry.summary : (objects[0]?.says ?? "");
  return withoutOthers({ ...entry, summary, objects, more: entry.more + hidden }, sight);
}
