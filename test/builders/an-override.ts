/** An override as the plane has committed it, and the desired state of one. */
import type { OverrideSpec, OverrideStatus } from "../../src/core/model/override.ts";
import { overrideKey } from "../../src/core/model/override.ts";
import type { Override } from "../../src/core/model/objects.ts";
import { aMeta } from "./a-meta.ts";

export type OverrideParts = Partial<OverrideSpec> & {
  readonly name?: string;
  readonly status?: Partial<OverrideStatus>;
};

export const anOverrideSpec = (of: Partial<OverrideSpec> = {}): OverrideSpec => ({
  action: "avoid-zone",
  target: { zone: "eu-a" },
  reason: "flaky power",
  ttlMs: 60_000,
  ...of,
});

export function anOverride({ name = "ov-1", status, ...spec }: OverrideParts = {}): Override {
  const desired = anOverrideSpec(spec);
  return {
    kind: "Override",
    key: overrideKey(name),
    meta: aMeta(overrideKey(name)),
    spec: desired,
    status: { owner: "ana", sinceMs: 0, untilMs: desired.ttlMs, extensions: 0, ...status },
  };
}
