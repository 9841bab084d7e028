/**
 * The ready roles as reads show them. The log has no object of them, so that they cannot be lost,
 * and a plane of another version has the rules of that version.
 */
import { keyOf, type ObjectKey, type Revision, type Uid } from "../../core/model/ids.ts";
import type { AnyObject, ClusterRole } from "../../core/model/objects.ts";
import { READY_ROLES, type ReadyRole } from "../../core/rules/access/ready-roles.ts";
import type { StandingObjects } from "../list/served-kind.ts";
import { NOT_CREATED_MS } from "../metadata.ts";

const LABEL = "berth.dev/ready-role";
const ABOUT_ANNOTATION = "berth.dev/about";
/** The least that an object has: no reader can have seen anything before it. */
const FIRST = 1 as Revision;

const objectOf = ({ name, about, rules }: ReadyRole): ClusterRole => ({
  kind: "ClusterRole",
  key: keyOf({ kind: "ClusterRole", namespace: "", name }),
  meta: {
    namespace: "",
    name,
    uid: `ready-role.${name}` as Uid,
    generation: 1,
    revision: FIRST,
    createdMs: NOT_CREATED_MS,
    labels: { [LABEL]: "true" },
    annotations: { [ABOUT_ANNOTATION]: about },
    finalizers: [],
    deletingMs: undefined,
  },
  spec: { rules },
  status: {},
});

export const readyRoleObjects: StandingObjects = {
  objects: new Map<ObjectKey, AnyObject>(
    READY_ROLES.map((role) => {
      const object = objectOf(role);
      return [object.key, object];
    }),
  ),
  instead: "every plane has this role as it is: write a ClusterRole of another name",
};
