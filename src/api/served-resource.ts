/** A kind under the group and the name it is served as, as far as discovery and OpenAPI care. */
import { RBAC_GROUP } from "../core/model/access.ts";
import type { ApiKind } from "./api-kind.ts";
import { COORDINATION_GROUP, GROUP, VERSION } from "./group-version.ts";

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
  [COORDINATION_GROUP, `apis/${COORDINATION_GROUP}/${VERSION}`],
  [RBAC_GROUP, `apis/${RBAC_GROUP}/${VERSION}`],
  ["", `api/${VERSION}`],
]);

/** Those with a name, in the order in which clients look for a resource. */
export const NAMED_GROUPS: readonly string[] = [...GROUP_PATHS.keys()].filter(
  (group) => group !== "",
);

/** Kubernetes' own kinds, which clients have built in; they change them by strategic merge. */
export const isKubernetesGroup = (group: string): boolean => group !== GROUP;

/** What `kubectl scale` reads and writes, whatever the kind that is scaled. */
export const SCALE_KIND = { group: "autoscaling", version: "v1", kind: "Scale" } as const;
