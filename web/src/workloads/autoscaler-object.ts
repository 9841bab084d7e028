/** An autoscaler as the API shows it, as far as this page reads it. */
import { BERTH } from "../live/api.ts";
import type { LiveObject } from "../live/object-message.ts";
import type { ShownCondition } from "./workload-object.ts";

export interface ShownStep {
  readonly at: string;
  readonly from: number;
  readonly to: number;
}

export interface AutoscalerObject extends LiveObject {
  readonly spec: {
    readonly min: number;
    readonly max: number;
    readonly target: {
      readonly cpu?: number;
      readonly requests?: number;
      readonly metric?: { readonly name: string; readonly value: number };
    };
  };
  readonly status: {
    readonly replicas?: number;
    readonly needed?: number;
    readonly desired?: number;
    readonly reason: string;
    readonly observed?: {
      readonly at: string;
      readonly load: number;
      readonly covered: number;
      readonly of: number;
      readonly observation: number;
    };
    readonly lastUp?: ShownStep;
    readonly lastDown?: ShownStep;
    readonly conditions?: readonly ShownCondition[];
  };
}

export const autoscalerPath = (tenant: string, name: string): string =>
  `${BERTH}/namespaces/${encodeURIComponent(tenant)}/autoscalers/${encodeURIComponent(name)}`;

/** e.g. "70% cpu", as the commands say it */
export function targetText({ target }: AutoscalerObject["spec"]): string {
  if (target.metric !== undefined) return `${target.metric.value} ${target.metric.name}`;
  return target.cpu === undefined ? `${target.requests ?? 0}/s` : `${target.cpu}% cpu`;
}

/** What the plane says of it under this name; undefined: nothing. */
export const conditionOf = (
  { status }: AutoscalerObject,
  type: string,
): ShownCondition | undefined => status.conditions?.find((each) => each.type === type);
