import { expect, test } from "vitest";
import type { AccessRequest, AccessRule } from "../../model/access.ts";
import { AccessRules } from "./access-rules.ts";

const anna = { user: "anna", groups: [] };

function allows(rule: AccessRule, request: AccessRequest): boolean {
  const rules = new AccessRules();
  const ref = { kind: "Role", name: "one" } as const;
  const subjects = [{ kind: "User", name: "anna" }] as const;
  rules.putRole({ ref, namespace: "shop", rules: [rule] });
  rules.putBinding({ name: "one", namespace: "shop", roleRef: ref, subjects });
  return rules.decide(anna, request, 0).isAllowed;
}

const inShop = { namespace: "shop", name: "api.1.0" };
const pods = { group: "", resource: "pods", ...inShop };
const replicas = { group: "berth.dev", resource: "replicas", ...inShop };
const logOfPod = { ...pods, verb: "get", subresource: "log" } as const;
const log = { ...replicas, verb: "log" } as const;

const CASES: readonly (readonly [string, AccessRule, AccessRequest, boolean])[] = [
  [
    "pods by a role for replicas",
    { verbs: ["get"], apiGroups: ["berth.dev"], resources: ["replicas"] },
    { ...pods, verb: "get" },
    true,
  ],
  [
    "replicas by a role for pods",
    { verbs: ["get"], apiGroups: [""], resources: ["pods"] },
    { ...replicas, verb: "get" },
    true,
  ],
  [
    "replicas by a role for all of Kubernetes' core",
    { verbs: ["get"], apiGroups: [""], resources: ["*"] },
    { ...replicas, verb: "get" },
    true,
  ],
  [
    "workloads by a role for all of Kubernetes' core",
    { verbs: ["get"], apiGroups: [""], resources: ["*"] },
    { verb: "get", group: "berth.dev", resource: "workloads", ...inShop },
    false,
  ],
  [
    "logs by Kubernetes' own rule for them",
    { verbs: ["get"], apiGroups: [""], resources: ["pods/log"] },
    log,
    true,
  ],
  [
    "logs of a pod by the power over replicas",
    { verbs: ["log"], apiGroups: ["berth.dev"], resources: ["replicas"] },
    logOfPod,
    true,
  ],
  [
    "logs by a role to read replicas",
    { verbs: ["get", "list"], apiGroups: ["*"], resources: ["*"] },
    logOfPod,
    false,
  ],
  [
    "a command in a pod by a role to create it",
    { verbs: ["create"], apiGroups: [""], resources: ["pods/exec"] },
    { ...replicas, verb: "exec" },
    true,
  ],
  [
    "a command in a pod by a role to read logs",
    { verbs: ["get"], apiGroups: [""], resources: ["pods/log"] },
    { ...pods, verb: "create", subresource: "exec" },
    false,
  ],
  [
    "its own namespace by a role for tenants",
    { verbs: ["get"], apiGroups: ["berth.dev"], resources: ["tenants"] },
    { verb: "get", group: "", resource: "namespaces", name: "shop" },
    true,
  ],
  [
    "another namespace",
    { verbs: ["get"], apiGroups: ["berth.dev"], resources: ["tenants"] },
    { verb: "get", group: "", resource: "namespaces", name: "bank" },
    false,
  ],
  [
    "leases of Kubernetes by a role for leader leases",
    { verbs: ["update"], apiGroups: ["berth.dev"], resources: ["leaderleases"] },
    { verb: "update", group: "coordination.k8s.io", resource: "leases", ...inShop },
    true,
  ],
];

test.each(CASES)(
  "a caller is asked about %s under Berth's own names [AZ2]",
  (_, rule, request, isAllowed) => expect(allows(rule, request)).toBe(isAllowed),
);
