/** Roles that a test gives to callers, as if they had always had them. */
import type { ApiToken } from "../../src/api/identity/token-registry.ts";
import { keyOf, operationId } from "../../src/core/model/ids.ts";
import type { RoleRef } from "../../src/core/model/access.ts";
import { putting } from "./a-plane.ts";
import type { PlanePort } from "../../src/host/plane-port.ts";

export interface Grant {
  readonly user: string;
  readonly role: RoleRef;
  /** Left out: in all of them. */
  readonly namespace?: string;
}

const EVERYTHING: RoleRef = { kind: "ClusterRole", name: "cluster-admin" };

export async function grant(
  plane: Pick<PlanePort, "submit">,
  { user, role, namespace = "" }: Grant,
): Promise<void> {
  const kind = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  const name = `${user}-${role.name}`;
  const spec = { roleRef: role, subjects: [{ kind: "User", name: user }] } as const;
  const key = keyOf({ kind, namespace, name });
  const operation = operationId(`grant ${key}`);
  const put = { ...putting(key, { kind, spec }), operation };
  // Without a credential it comes from inside the plane, which may give what it does not have.
  const reply = await plane.submit(put, { role: "user", name: "test" });
  // A plane that starts again on the same log has it already.
  const outcome = reply.kind === "outcome" ? reply.outcome.kind : reply.kind;
  if (outcome === "committed" || outcome === "duplicate") return;
  throw new Error(`${name} was not bound: ${JSON.stringify(reply)}`);
}

/** A plane trusts the users of most tests with everything. */
export async function grantAll(
  plane: Pick<PlanePort, "submit">,
  tokens: readonly ApiToken[],
): Promise<void> {
  const names = tokens.filter(({ kind }) => kind === "user").map(({ name }) => name);
  for (const user of new Set(names)) await grant(plane, { user, role: EVERYTHING });
}
