/** A kind under the group and the name it is served as, as far as discovery and OpenAPI care. */
import type { ApiKind } from "./api-kind.ts";
import { GROUP, VERSION } from "./group-version.ts";

export interface ServedResource {
  /** Empty for Kubernetes' core group. */
  readonly group: string;
  /** As `kind` in the object; a tenant may be served as a Namespace. */
  readonly name: string;
  readonly api: ApiKind;
}

export const groupVersionKind = ({ group, name }: Pick<ServedResource, "group" | "name">) => ({
  group,
  version: VERSION,
  kind: name,
});

/** The groups there are, with the path each is served under. */
export const GROUP_PATHS: ReadonlyMap<string, string> = new Map([
  [GROUP, `apis/${GROUP}/${VERSION}`],
  ["", `api/${VERSION}`],
]);

/** What `kubectl scale` reads and writes, whatever the kind that is scaled. */
export const SCALE_KIND = { group: "autoscaling", version: "v1", kind: "Scale" } as const;
