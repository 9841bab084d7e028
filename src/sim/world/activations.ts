/** The revision in force as people believe it, from their own moves of the pointers. */
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

  /** Undefined: people know that the plane would refuse it, and do not send it. */
  intent(action: Activate, operation: (key: string) => OperationId): Intent | undefined {
    const { policy, to, region, stale } = action;
    const pointer = this.pointers.get(policy);
    if (pointer === undefined) return undefined;
    const now = (region === undefined ? undefined : pointer.stages.get(region)) ?? pointer.active;
    const isStaged = [...pointer.stages.values()].some((revision) => revision !== to);
    if (stale === undefined && (now === to || (region === undefined && isStaged))) return undefined;
    // An activation that names a stale revision moves nothing.
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
