/** An override as the API shows it. */
import type { OverrideAction, OverrideTarget } from "../../../src/core/model/override.ts";
import { BERTH } from "../live/api.ts";
import type { LiveObject } from "../live/object-message.ts";

export const OVERRIDES = `${BERTH}/overrides`;

export interface ShownPostcondition {
  readonly tenant: string;
  readonly workload: string;
  readonly serving: number;
}

export interface OverrideSpecText {
  readonly action: OverrideAction;
  readonly target?: OverrideTarget;
  readonly reason: string;
  readonly ttl: string;
  readonly amount?: number;
  readonly postcondition?: ShownPostcondition;
}

export interface OverrideObject extends LiveObject {
  readonly spec: OverrideSpecText;
  readonly status: {
    readonly owner: string;
    readonly since: string;
    readonly until: string;
    readonly extensions: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message: string;
    }[];
  };
}

export const overridePath = (name: string): string => `${OVERRIDES}/${encodeURIComponent(name)}`;

/** A list of the one override of that name: empty when there is none. */
export const oneOverridePath = (name: string): string =>
  `${OVERRIDES}?${new URLSearchParams({ fieldSelector: `metadata.name=${name}` }).toString()}`;

/** Whether the postcondition is met now, in the plane's words; undefined without one. */
export function postconditionOf(
  override: OverrideObject | undefined,
): { readonly holds: boolean; readonly text: string } | undefined {
  const found = override?.status.conditions?.find(({ type }) => type === "PostconditionHolds");
  return found && { holds: found.status === "True", text: found.message };
}
