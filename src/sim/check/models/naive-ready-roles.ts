/**
 * The ready roles as `docs/roles.md` describes them, written down a second time: verbs | groups |
 * resources, a rule in each line.
 */
import type { AccessRule } from "../../../core/model/access.ts";

const READ = "get list watch";
const CHANGE = "create update patch delete deletecollection";
const WRITE = `${READ} ${CHANGE}`;
const RBAC = "rbac.authorization.k8s.io";
const WRITTEN = "workloads workloads/status workloads/scale commitments autoscalers leaderleases";
const OF_TENANT = `${WRITTEN} tenants replicas replicas/status endpoints events quotas reservations`;
const OF_FLEET =
  "nodes nodes/status regions nodepools tenants quotas priorityclasses policies policyrevisions " +
  "slos overrides recoverybudgets commitments";

const VIEW = [`${READ} | berth.dev | ${OF_TENANT}`, "log | berth.dev | replicas"];
const EDIT = [
  ...VIEW,
  `${CHANGE} | berth.dev | ${WRITTEN}`,
  "delete exec env | berth.dev | replicas",
  `${WRITE} | | secrets`,
];
const ADMIN = [
  ...EDIT,
  `${WRITE} | ${RBAC} | roles rolebindings`,
  "create | authorization.k8s.io | localsubjectaccessreviews",
];
const READ_ALL = [
  `${READ} | berth.dev | ${OF_TENANT} ${OF_FLEET} leases`,
  `${READ} | ${RBAC} | roles rolebindings clusterroles clusterrolebindings`,
  "get | path | *",
];
const EVERYTHING = ["* | * | *", "* | path | *"];

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  "cluster-admin": EVERYTHING,
  "break-glass": EVERYTHING,
  admin: ADMIN,
  edit: EDIT,
  view: VIEW,
  operator: [
    ...READ_ALL,
    `${CHANGE} | berth.dev | ${OF_FLEET}`,
    "log backup fence activate override preview use | berth.dev | *",
    `${WRITE} | path | *`,
  ],
  auditor: [...READ_ALL, "create | authorization.k8s.io | subjectaccessreviews"],
  "system:basic-user": [
    "create | authorization.k8s.io | selfsubjectaccessreviews selfsubjectrulesreviews",
    "create | authentication.k8s.io | selfsubjectreviews",
  ],
  "system:discovery": [
    "get | path | /healthz /livez /readyz /version /version/ /api /api/* /apis /apis/* /openapi /openapi/*",
  ],
};

function ruleOf(line: string): AccessRule {
  const [verbs = "", group = "", what = ""] = line.split("|").map((part) => part.trim());
  const of = { verbs: verbs.split(" ") };
  if (group === "path") return { ...of, nonResourceURLs: what.split(" ") };
  return { ...of, apiGroups: [group], resources: what.split(" ") };
}

export const READY_RULES: Readonly<Record<string, readonly AccessRule[]>> = Object.fromEntries(
  Object.entries(TEXTS).map(([name, lines]) => [name, lines.map(ruleOf)]),
);
