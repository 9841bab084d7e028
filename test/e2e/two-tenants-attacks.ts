/** What the hostile tenant sends: every path to the victim's objects, and every way to more rights that it could try. */
import {
  aBinding,
  anObject,
  type Asked,
  BERTH,
  FIRST,
  HOSTILE,
  RBAC,
  SERVICE,
  VICTIM,
} from "./two-tenants-world.ts";

export interface Attack extends Asked {
  readonly path: string;
}

const IN = `${BERTH}/namespaces/${VICTIM}`;
const OWN = `${BERTH}/namespaces/${HOSTILE}`;
const ROLES = `/apis/${RBAC}/v1`;
const MERGE = "application/merge-patch+json";
const REPLICA = `${SERVICE}.1.0`;

/** Each verb on a collection, and on an object that is there. */
const everyVerb = (collection: string, name: string): readonly Attack[] => [
  { path: collection },
  { path: `${collection}?watch=true&timeoutSeconds=1` },
  { path: collection, method: "POST", body: { metadata: { name: "mine" } } },
  { path: collection, method: "DELETE" },
  { path: `${collection}/${name}` },
  { path: `${collection}/${name}`, method: "PUT", body: { metadata: { name } } },
  { path: `${collection}/${name}`, method: "PATCH", type: MERGE, body: { spec: null } },
  {
    path: `${collection}/${name}?fieldManager=eve&force=true`,
    method: "PATCH",
    type: "application/apply-patch+yaml",
    body: anObject("Workload", name, {}),
  },
  { path: `${collection}/${name}`, method: "DELETE" },
];

const OF_VICTIM: readonly Attack[] = [
  ...[
    "workloads",
    "replicas",
    "quotas",
    "endpoints",
    "events",
    "autoscalers",
    "reservations",
  ].flatMap((kind) =>
    everyVerb(
      `${IN}/${kind}`,
      kind === "quotas" ? "default" : kind === "replicas" ? REPLICA : SERVICE,
    ),
  ),
  ...everyVerb(`/api/v1/namespaces/${VICTIM}/secrets`, "db"),
  ...everyVerb(`/api/v1/namespaces/${VICTIM}/pods`, REPLICA),
  ...everyVerb(`${ROLES}/namespaces/${VICTIM}/roles`, "team"),
  ...everyVerb(`${ROLES}/namespaces/${VICTIM}/rolebindings`, "team"),
  ...everyVerb(`${BERTH}/tenants`, VICTIM),
  ...["nodes", "regions", "priorityclasses", "overrides", "policies"].flatMap((kind) =>
    everyVerb(`${BERTH}/${kind}`, "n1"),
  ),
  ...everyVerb(`${ROLES}/clusterroles`, "edit"),
  ...everyVerb(`${ROLES}/clusterrolebindings`, "all"),
  ...["workloads", "replicas", "events", "secrets", "pods", "quotas"].map((kind) => ({
    path: `${BERTH}/${kind}`,
  })),
  ...["secrets", "pods", "events", "namespaces"].map((kind) => ({ path: `/api/v1/${kind}` })),
  { path: "/api/v1/secrets?watch=true&timeoutSeconds=1" },
  { path: `${BERTH}/workloads?watch=true&timeoutSeconds=1&resourceVersion=1` },
];

const OF_SESSIONS: readonly Attack[] = [
  ...[`${IN}/replicas/${REPLICA}`, `/api/v1/namespaces/${VICTIM}/pods/${REPLICA}`].flatMap(
    (replica) => [
      { path: `${replica}/log` },
      { path: `${replica}/log?follow=true` },
      { path: `${replica}/exec?command=id` },
      { path: `${replica}/exec?command=id`, method: "POST" },
      { path: `${replica}/portforward?port=http` },
    ],
  ),
  { path: `${IN}/workloads/${SERVICE}/scale` },
  {
    path: `${IN}/workloads/${SERVICE}/scale`,
    method: "PATCH",
    type: MERGE,
    body: { spec: { replicas: 0 } },
  },
  // A way out of the own namespace by the way itself.
  { path: `${OWN}/workloads/..%2f..%2f${VICTIM}%2fworkloads%2f${SERVICE}` },
  { path: `${OWN}/../${VICTIM}/workloads/${SERVICE}` },
];

const aRole = (verbs: readonly string[], resources: readonly string[]) => ({
  apiVersion: `${RBAC}/v1`,
  kind: "Role",
  metadata: { name: "more" },
  rules: [{ verbs, apiGroups: ["*"], resources }],
});

const OF_RIGHTS: readonly Attack[] = [
  ...["cluster-admin", "operator", "auditor", "system:node"].map((name) => ({
    path: `${ROLES}/namespaces/${HOSTILE}/rolebindings`,
    method: "POST",
    body: aBinding({ name: "more", role: name, user: "eve" }),
  })),
  ...["admin", "cluster-admin"].flatMap((name) => [
    {
      path: `${ROLES}/namespaces/${VICTIM}/rolebindings`,
      method: "POST",
      body: aBinding({ name: "mine", role: name, user: "eve" }),
    },
    {
      path: `${ROLES}/clusterrolebindings`,
      method: "POST",
      body: aBinding({ kind: "ClusterRoleBinding", name: "mine", role: name, user: "eve" }),
    },
  ]),
  ...[
    aRole(["*"], ["*"]),
    aRole(["escalate", "bind"], ["roles"]),
    aRole(["run-as-root"], ["workloads"]),
    aRole(["impersonate"], ["users"]),
  ].map((body) => ({ path: `${ROLES}/namespaces/${HOSTILE}/roles`, method: "POST", body })),
  ...["root", "ana", "system:admin", "system:node:n1"].flatMap((user) => [
    { path: `${IN}/workloads`, headers: { "impersonate-user": user } },
    {
      path: "/whoami",
      headers: { "impersonate-user": user, "impersonate-group": "system:masters" },
    },
  ]),
  {
    path: "/whoami",
    headers: { "impersonate-user": "eve", "impersonate-group": "system:masters" },
  },
  {
    path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    method: "POST",
    body: {
      spec: {
        user: "ana",
        resourceAttributes: { verb: "list", resource: "secrets", namespace: VICTIM },
      },
    },
  },
];

const aRun = (name: string, more: object, run: object = {}): Attack => ({
  path: `${OWN}/workloads`,
  method: "POST",
  body: anObject("Workload", name, {
    replicas: 1,
    resources: { cpu: "10m", memory: "16Mi" },
    run: { command: ["sleep", "60"], ...run },
    ...more,
  }),
});

const withOwner = (kind: string, name: string): Attack => {
  const owner = { apiVersion: "berth.dev/v1", kind, name, uid: "u1", blockOwnerDeletion: true };
  const { body, ...attack } = aRun(`of-${kind.toLowerCase()}`, {});
  const { metadata, ...rest } = body as ReturnType<typeof anObject>;
  return { ...attack, body: { ...rest, metadata: { ...metadata, ownerReferences: [owner] } } };
};

/** Work that would steer the victim's, or have more than a tenant's. */
const OF_WORK: readonly Attack[] = [
  withOwner("Tenant", VICTIM),
  withOwner("Node", "n1"),
  aRun("first", { priorityClass: FIRST }),
  aRun("rooted", {}, { user: "root" }),
  aRun("numbered", {}, { user: "0" }),
  ...["required", "antiRequired"].map((kind) =>
    aRun(`near-${kind.toLowerCase()}`, {
      placement: {
        affinity: { [kind]: [{ by: "node", labels: { app: SERVICE }, tenants: [VICTIM] }] },
      },
    }),
  ),
  ...["preferred", "antiPreferred"].map((kind) =>
    aRun(`near-${kind.toLowerCase()}`, {
      placement: {
        affinity: { [kind]: [{ weight: 100, by: "node", labels: {}, tenants: [VICTIM] }] },
      },
    }),
  ),
];

const command = (intent: object, role: string, name: string) => ({
  from: `${role}:${name}`,
  request: {
    kind: "command",
    attempt: 1,
    command: { intent, epoch: 1, basis: 1, actor: { role, name } },
  },
});
const lease = { kind: "lease", operation: "lease/n1", node: "n1", session: 9, seq: 9, kept: [] };

const OF_NODES: readonly Attack[] = [
  { path: "/stream/list?node=n1" },
  { path: "/stream/state?node=n1" },
  { path: "/stream/watch?node=n1&from=1" },
  { path: "/stream/sessions/1" },
  { path: "/heartbeats" },
  { path: "/node-certificates", method: "POST", body: { node: "n1", request: "x" } },
  {
    path: "/commands/identities",
    method: "POST",
    body: { node: "n1", replica: `Replica/${VICTIM}/${REPLICA}` },
  },
  {
    path: "/commands/secrets",
    method: "POST",
    body: { node: "n1", replica: `Replica/${VICTIM}/${REPLICA}` },
  },
  { path: "/commands", method: "POST", body: command(lease, "agent", "n1") },
  {
    path: "/commands",
    method: "POST",
    body: command(
      { kind: "delete", expect: {}, key: `Workload/${VICTIM}/${SERVICE}`, operation: "x1" },
      "user",
      "ana",
    ),
  },
  {
    path: "/commands",
    method: "POST",
    body: command(
      { kind: "delete", expect: {}, key: `Workload/${VICTIM}/${SERVICE}`, operation: "x2" },
      "user",
      "eve",
    ),
  },
];

const SAMPLE = { namespace: VICTIM, workload: SERVICE, metric: "load", value: 1_000 };

const OF_LIMITS: readonly Attack[] = [
  ...everyVerb(`${BERTH}/namespaces/${HOSTILE}/quotas`, "default").slice(2, 4),
  ...everyVerb(`${BERTH}/namespaces/${HOSTILE}/quotas`, "default").slice(5),
  ...everyVerb(`${BERTH}/tenants`, HOSTILE).slice(5),
  ...everyVerb(`${BERTH}/namespaces/${HOSTILE}/reservations`, "mine").slice(2, 4),
  { path: "/metrics-samples", method: "POST", body: { samples: [SAMPLE] } },
];

const OF_OPERATORS: readonly Attack[] = [
  "/backup",
  "/recordings",
  "/recordings/1/turns",
  "/recordings/1/incident",
  "/audit/head",
  "/audit/verify",
  "/audit/refusals",
  "/series",
  "/regions",
  "/capacity",
  "/fleet",
  "/drain-plan?node=n1",
  "/recovery-reserve",
  "/who-can?verb=list&resource=secrets",
].map((path) => ({ path }));

/** Each is refused. */
export const REFUSED: readonly Attack[] = [
  ...OF_VICTIM,
  ...OF_SESSIONS,
  ...OF_RIGHTS,
  ...OF_WORK,
  ...OF_NODES,
  ...OF_LIMITS,
  ...OF_OPERATORS,
  { path: "/secret-rotation", method: "POST", body: {} },
  { path: "/regions/eu/exchange", method: "POST", body: {} },
  { path: "/regions/eu/gone", method: "POST", body: { reason: "so that its quota is free" } },
];

const KEY = `Workload/${VICTIM}/${SERVICE}`;

/** Each shows a caller its own part only. */
export const FILTERED: readonly string[] = [
  "/audit",
  `/decisions?key=${KEY}`,
  `/decisions?key=Replica/${VICTIM}/${REPLICA}`,
  `/explain?kind=workload&namespace=${VICTIM}&name=${SERVICE}`,
  `/diff?from=1`,
  "/incidents",
  // Series of its own tenant alone (AZ55).
  "/metrics",
  "/problems",
  "/promises",
  "/search?q=le",
  "/search?q=canary",
  "/views/workloads",
  "/views/queue",
  "/views/quota",
  "/views/fleet",
];
