/**
 * `npm run bench:access`: how long a decision about access takes with 10,000 bindings, for callers
 * that are allowed, refused, and in many groups. Prints JSON.
 */
import type { AccessRequest, Subject } from "../../src/core/model/access.ts";
import { AccessRules } from "../../src/core/rules/access/access-rules.ts";

const BINDINGS = 10_000;
const TENANTS = 500;
const ROUNDS = 200_000;
const BATCH = 1_000;

const rules = new AccessRules();
const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];
for (let tenant = 0; tenant < TENANTS; tenant += 1) {
  const namespace = `t${tenant}`;
  rules.putRole({
    ref: { kind: "Role", name: "deployer" },
    namespace,
    rules: Array.from({ length: 5 }, (_, at) => ({
      verbs,
      apiGroups: ["berth.dev"],
      resources: [["quotas", "events", "commitments", "replicas", "workloads"][at] ?? ""],
    })),
  });
}
for (let at = 0; at < BINDINGS; at += 1) {
  const namespace = `t${at % TENANTS}`;
  rules.putBinding({
    name: `b${at}`,
    ...(at % 20 === 0 ? {} : { namespace }),
    roleRef:
      at % 20 === 0 ? { kind: "ClusterRole", name: "view" } : { kind: "Role", name: "deployer" },
    subjects: [
      { kind: "User", name: `user-${at}` },
      { kind: "Group", name: `group-${at % 1_000}` },
    ],
  });
}

const request: AccessRequest = {
  verb: "update",
  group: "berth.dev",
  resource: "workloads",
  namespace: "t7",
  name: "api",
};
const groups = (count: number): string[] => [
  ...Array.from({ length: count }, (_, at) => `group-${at * 7 + 503}`),
  "system:authenticated",
];
const callers: Readonly<Record<string, Subject>> = {
  allowed: { user: "user-7", groups: groups(2) },
  refused: { user: "user-8", groups: groups(2) },
  "refused, in 20 groups": { user: "user-8", groups: groups(20) },
};

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const measured = Object.entries(callers).map(([caller, subject]) => {
  const { isAllowed } = rules.decide(subject, request, 0);
  for (let at = 0; at < ROUNDS; at += 1) rules.decide(subject, request, at);
  const batches: number[] = [];
  for (let done = 0; done < ROUNDS; done += BATCH) {
    const began = process.hrtime.bigint();
    for (let at = 0; at < BATCH; at += 1) rules.decide(subject, request, at);
    batches.push(Number(process.hrtime.bigint() - began) / BATCH / 1_000);
  }
  const sorted = batches.toSorted((a, b) => a - b);
  const [p50, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)];
  return {
    caller,
    isAllowed,
    microseconds: { p50: Number(p50.toFixed(3)), p99: Number(p99.toFixed(3)) },
  };
});
process.stdout.write(
  `${JSON.stringify({ bindings: BINDINGS, tenants: TENANTS, measured }, undefined, 2)}\n`,
);
