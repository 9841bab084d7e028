/**
 * Roles that exist in every plane without an object, and the bindings of those that every caller of
 * a kind has. They cannot be changed, so a plane whose roles were all deleted still has an
 * operator's role to bind. `docs/roles.md` shows them to operators.
 */
import {
  type AccessRule,
  AUTHENTICATED_GROUP,
  NODES_GROUP,
  RBAC_GROUP,
  UNAUTHENTICATED_GROUP,
} from "../../model/access.ts";

export interface ReadyRole {
  readonly name: string;
  readonly about: string;
  readonly rules: readonly AccessRule[];
}

/** Processes that run controllers outside a plane. */
export const CONTROLLERS_GROUP = "berth:controllers";
/** Bound for a limited time only. */
export const BREAK_GLASS = "break-glass";

const OWN = ["berth.dev"];
/** Kubernetes' own, of secrets. */
const CORE = [""];
const READ = ["get", "list", "watch"];
const CHANGE = ["create", "update", "patch", "delete", "deletecollection"];
const WRITE = [...READ, ...CHANGE];

const own = (resources: readonly string[], verbs: readonly string[]): AccessRule => ({
  verbs,
  apiGroups: OWN,
  resources,
});
const ask = (group: string, resources: readonly string[]): AccessRule => ({
  verbs: ["create"],
  apiGroups: [group],
  resources,
});

/** What belongs to a tenant and is neither a secret nor says who may do what. */
const OF_TENANT = [
  "tenants",
  "workloads",
  "workloads/status",
  "workloads/scale",
  "replicas",
  "replicas/status",
  "endpoints",
  "events",
  "quotas",
  "grants",
  "commitments",
  "autoscalers",
  "reservations",
  "leaderleases",
];
const WRITTEN_BY_TENANT = [
  "workloads",
  "workloads/status",
  "workloads/scale",
  "commitments",
  "autoscalers",
  "leaderleases",
];
const OF_FLEET = [
  "nodes",
  "nodes/status",
  "regions",
  "planes",
  "nodepools",
  "tenants",
  "quotas",
  "priorityclasses",
  "policies",
  "policyrevisions",
  "slos",
  "overrides",
  "recoverybudgets",
  "commitments",
];
/** Each is what an operator does; to run commands in tenants' replicas is none of it. */
const OF_OPERATORS = ["log", "backup", "fence", "activate", "override", "preview", "use"] as const;
const ROLES_OF_TENANT = ["roles", "rolebindings"];
const ROLES_OF_ALL = [...ROLES_OF_TENANT, "clusterroles", "clusterrolebindings"];
const AUTHORIZATION_GROUP = "authorization.k8s.io";
const AUTHENTICATION_GROUP = "authentication.k8s.io";

/** Health and version, which every load balancer asks for. */
const PUBLIC = ["/healthz", "/livez", "/readyz", "/version", "/version/"];
const DISCOVERY = [...PUBLIC, "/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"];

const view: readonly AccessRule[] = [own(OF_TENANT, READ), own(["replicas"], ["log"])];
const edit: readonly AccessRule[] = [
  ...view,
  own(WRITTEN_BY_TENANT, CHANGE),
  own(["replicas"], ["delete", "exec", "env"]),
  { verbs: WRITE, apiGroups: CORE, resources: ["secrets"] },
];
const admin: readonly AccessRule[] = [
  ...edit,
  { verbs: WRITE, apiGroups: [RBAC_GROUP], resources: ROLES_OF_TENANT },
  ask(AUTHORIZATION_GROUP, ["localsubjectaccessreviews"]),
];
const everything: readonly AccessRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];
/** Without secrets, which hold what the plane itself never shows. */
const readAll: readonly AccessRule[] = [
  own([...new Set([...OF_TENANT, ...OF_FLEET]), "leases"], READ),
  { verbs: READ, apiGroups: [RBAC_GROUP], resources: ROLES_OF_ALL },
  { verbs: ["get"], nonResourceURLs: ["*"] },
];

export const READY_ROLES: readonly ReadyRole[] = [
  { name: "cluster-admin", about: "Everything, everywhere.", rules: everything },
  {
    name: "admin",
    about: "All of a tenant's work, its secrets, and who may do what in it.",
    rules: admin,
  },
  { name: "edit", about: "All of a tenant's work, and its secrets.", rules: edit },
  { name: "view", about: "A tenant's work and its output, to read.", rules: view },
  {
    name: "operator",
    about: "The fleet: nodes, pools, quotas, priority classes, policies and overrides.",
    rules: [
      ...readAll,
      own(OF_FLEET, CHANGE),
      { verbs: OF_OPERATORS, apiGroups: OWN, resources: ["*"] },
      { verbs: WRITE, nonResourceURLs: ["*"] },
    ],
  },
  {
    name: "auditor",
    about: "Everything but secrets, to read, with who may do what.",
    rules: [...readAll, ask(AUTHORIZATION_GROUP, ["subjectaccessreviews"])],
  },
  {
    name: "system:node",
    about: "What a node's agent does: its node, what is bound to it, and its reports.",
    rules: [
      own(["nodes"], ["get", "list", "watch", "create", "update", "patch"]),
      own(["replicas", "workloads", "leases"], READ),
      { verbs: ["get"], apiGroups: CORE, resources: ["secrets"] },
      own(["events"], ["create", "patch"]),
    ],
  },
  {
    name: CONTROLLERS_GROUP,
    about: "What controllers do that run outside a plane.",
    rules: [
      ...readAll,
      own(["*"], CHANGE),
      { verbs: READ, apiGroups: ["coordination.k8s.io"], resources: ["leases"] },
    ],
  },
  {
    name: BREAK_GLASS,
    about: "Everything, everywhere, for a limited time; each use is an event.",
    rules: everything,
  },
  {
    name: "system:basic-user",
    about: "Questions about oneself.",
    rules: [
      ask(AUTHORIZATION_GROUP, ["selfsubjectaccessreviews", "selfsubjectrulesreviews"]),
      ask(AUTHENTICATION_GROUP, ["selfsubjectreviews"]),
    ],
  },
  {
    name: "system:discovery",
    about: "Which kinds there are.",
    rules: [{ verbs: ["get"], nonResourceURLs: DISCOVERY }],
  },
  {
    name: "system:public-info-viewer",
    about: "Health and version, which load balancers ask for.",
    rules: [{ verbs: ["get"], nonResourceURLs: PUBLIC }],
  },
];

export interface ReadyBinding {
  readonly role: string;
  readonly group: string;
}

export const READY_BINDINGS: readonly ReadyBinding[] = [
  { role: "system:basic-user", group: AUTHENTICATED_GROUP },
  { role: "system:discovery", group: AUTHENTICATED_GROUP },
  { role: "system:public-info-viewer", group: AUTHENTICATED_GROUP },
  { role: "system:public-info-viewer", group: UNAUTHENTICATED_GROUP },
  { role: "system:node", group: NODES_GROUP },
  { role: CONTROLLERS_GROUP, group: CONTROLLERS_GROUP },
];

const names: ReadonlySet<string> = new Set(READY_ROLES.map(({ name }) => name));
export const isReadyRole = (name: string): boolean => names.has(name);
