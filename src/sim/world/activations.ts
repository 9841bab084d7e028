/**
 * What people take for the revision in force, as far as they have moved the pointers themselves.
 */
import type { Intent } from "../../core/protocol/command.ts";
import { type OperationId, policyKey } from "../../core/model/ids.ts";
import type { UserAction, WorldPolicy } from "./world.ts";

type Activate = Extract<UserAction, { do: "activate" }>;

interface Pointer {
  active: string;
  readonly stages: Map<string, string>;
}

export class Activations {
  private readonly pointers = new Map<string, Pointer>();

  made({ name, active }: WorldPolicy): void {
    this.pointers.set(name, { active, stages: new Map() });
  }

  /** Undefined: they know that it would be refused, and leave it. */
  intent(action: Activate, operation: (key: string) => OperationId): Intent | undefined {
    const { policy, to, region, stale } = action;
    const pointer = this.pointers.get(policy);
    if (pointer === undefined) return undefined;
    const now = (region === undefined ? undefined : pointer.stages.get(region)) ?? pointer.active;
    const isStaged = [...pointer.stages.values()].some((revision) => revision !== to);
    if (stale === undefined && (now === to || (region === undefined && isStaged))) return undefined;
    // Whoever speaks of what is not in force moves nothing.
    if (stale === undefined) move(pointer, action);
    return {
      kind: "activate",
      operation: operation(policyKey(policy)),
      policy,
      ...(region === undefined ? {} : { region }),
      from: stale === true ? `${now}-of-yesterday` : now,
      to,
      reason: "drawn",
    };
  }
}

function move(pointer: Pointer, { to, region }: Activate): void {
  if (region === undefined) {
    pointer.active = to;
    pointer.stages.clear();
  } else if (to === pointer.active) pointer.stages.delete(region);
  else pointer.stages.set(region, to);
}
