/** Which keys of which secrets a template needs. */
import type { ObjectKey } from "../ids.ts";
import type { Template } from "../objects.ts";

/** As Kubernetes' `secretKeyRef`: of a secret of the workload's own tenant. */
export interface SecretKeyRef {
  readonly name: string;
  readonly key: string;
}

export type SecretRefs = Readonly<Record<string, SecretKeyRef>>;

const NONE: readonly SecretKeyRef[] = [];

/** In the order of the template; asked of every placement, so most of them must cost nothing. */
export function secretRefsOf({ run }: Pick<Template, "run">): readonly SecretKeyRef[] {
  if (run?.secretEnv === undefined && run?.secretFiles === undefined) return NONE;
  return [...Object.values(run.secretEnv ?? {}), ...Object.values(run.secretFiles ?? {})];
}

export const secretKey = (tenant: string, name: string): ObjectKey =>
  `Secret/${tenant}/${name}` as ObjectKey;

/** As people are told of it: "secret db/password". */
export const secretText = ({ name, key }: SecretKeyRef): string => `secret ${name}/${key}`;
