/**
 * Which owners an apply succeeds without a conflict. Berth's own commands and its dashboard write
 * as `berth`: a person who scales a workload and then applies its file has met no other owner.
 */
import type { Ownership } from "./managed-fields.ts";

/** Under these names earlier builds applied, and `berth up` applies its examples. */
const APPLIED_AS: ReadonlyMap<string, readonly string[]> = new Map([
  ["berth", ["berth-apply", "berth-up"]],
]);

/** kubectl's apply of before, which patched from the client's side, and its server-side one. */
const PATCHED_AS: ReadonlyMap<string, string> = new Map([["kubectl", "kubectl-client-side-apply"]]);

/** Whether `owner` applied as the writer does now, so that what the writer no longer names goes. */
export const hasApplied = (owner: Ownership, manager: string): boolean =>
  owner.operation === "Apply"
    ? owner.manager === manager || (APPLIED_AS.get(manager) ?? []).includes(owner.manager)
    : owner.manager === PATCHED_AS.get(manager);

/** Whether `owner` is the writer under another operation: its changes are the writer's own. */
export const isOwnUpdate = (owner: Ownership, manager: string): boolean =>
  owner.operation === "Update" && owner.manager === manager && APPLIED_AS.has(manager);
