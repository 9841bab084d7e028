import { describe, expect, test } from "vitest";
import { aNodePoolSpec } from "../../../../test/builders/a-pooled-plane.ts";
import { aPlane, type Plane, putting } from "../../../../test/builders/a-plane.ts";
import { aWorkloadSpec, type WorkloadSpecParts } from "../../../../test/builders/a-workload.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { AccessRule } from "../../model/access.ts";
import type { Actor } from "../../model/actor.ts";
import { keyOf, workloadKey } from "../../model/ids.ts";
import { nodePoolKey } from "../../model/node/node-pool.ts";

const ana: Actor = {
  role: "user",
  name: "ana",
  by: { kind: "user", token: "12345678", groups: ["devs"] },
};
const put = (plane: Plane, of: WorkloadSpecParts, actor: Actor = ana): string =>
  codeOf(
    plane.send(
      putting(workloadKey("payments", "w"), { kind: "Workload", spec: aWorkloadSpec(of) }),
      { actor },
    ),
  );
const use = (resource: string, ...resourceNames: string[]): AccessRule => ({
  verbs: ["use"],
  apiGroups: ["berth.dev"],
  resources: [resource],
  ...(resourceNames.length === 0 ? {} : { resourceNames }),
});

/** With a pool for `gpu` work, one for all, and the tenant of `ana`. */
function aPlaneWithPools(rules: readonly AccessRule[] = []): Plane {
  const plane = aPlane();
  const taints = [{ key: "work", value: "gpu", effect: "no-schedule" }] as const;
  for (const [name, spec] of [
    ["gpu", { taints, labels: { pool: "gpu" } }],
    ["all", { labels: { pool: "all" } }],
  ] as const) {
    plane.must(putting(nodePoolKey(name), { kind: "NodePool", spec: aNodePoolSpec(spec) }));
  }
  bind(plane, rules);
  return plane;
}

const ROLE = keyOf({ kind: "ClusterRole", namespace: "", name: "uses" });
const BINDING = keyOf({ kind: "ClusterRoleBinding", namespace: "", name: "uses" });

function bind(plane: Plane, rules: readonly AccessRule[]): void {
  plane.must(putting(ROLE, { kind: "ClusterRole", spec: { rules } }));
  const roleRef = { kind: "ClusterRole", name: "uses" } as const;
  const subjects = [{ kind: "User", name: "ana" }] as const;
  plane.must(putting(BINDING, { kind: "ClusterRoleBinding", spec: { roleRef, subjects } }));
}

const tolerating = (key: string, value = "") => ({ tolerations: [{ key, value }] });

describe("a workload of a caller without a power", () => {
  test.each<{ asks: string; of: WorkloadSpecParts; code: string }>([
    { asks: "nothing", of: {}, code: "committed" },
    { asks: "a class", of: { priorityClass: "critical" }, code: "power-missing" },
    { asks: "plain processes", of: { driver: "process" }, code: "power-missing" },
    { asks: "a sandbox", of: { driver: "sandbox" }, code: "committed" },
    { asks: "root", of: { run: runAs("root") }, code: "power-missing" },
    { asks: "a pool by its taint", of: tolerating("work", "gpu"), code: "power-missing" },
    { asks: "a pool by its key", of: tolerating("work"), code: "power-missing" },
    { asks: "another taint", of: tolerating("work", "batch"), code: "committed" },
    { asks: "every pool there will be", of: tolerating(""), code: "power-missing" },
    { asks: "a pool for all", of: { nodeSelector: { pool: "all" } }, code: "committed" },
  ])("asks for $asks: $code [AZ52]", ({ of, code }) => {
    const plane = aPlaneWithPools();
    plane.must(
      putting(keyOf({ kind: "PriorityClass", namespace: "", name: "critical" }), {
        kind: "PriorityClass",
        spec: { value: 1 },
      }),
    );
    expect(put(plane, of)).toBe(code);
  });

  test("is accepted if a role gives exactly that [AZ52]", () => {
    const plane = aPlaneWithPools([use("nodepools", "gpu"), use("drivers", "process")]);
    expect(put(plane, { ...tolerating("work"), driver: "process" })).toBe("committed");
    expect(put(plane, tolerating(""))).toBe("power-missing");
    bind(plane, [use("nodepools")]);
    expect(put(plane, tolerating(""))).toBe("committed");
  });

  test("is not asked for what it named before, also after the role has gone [AZ52]", () => {
    const plane = aPlaneWithPools([use("nodepools", "gpu"), use("drivers", "process")]);
    const had = { ...tolerating("work"), driver: "process" } as const;
    expect(put(plane, had)).toBe("committed");
    bind(plane, []);
    expect(put(plane, { ...had, replicas: 3 })).toBe("committed");
    expect(put(plane, { replicas: 3 })).toBe("committed");
    expect(put(plane, had)).toBe("power-missing");
  });

  test("is not asked of the plane itself and of administrators [AZ52]", () => {
    const plane = aPlaneWithPools();
    expect(put(plane, { driver: "process" }, { role: "user", name: "inside" })).toBe("committed");
    const root: Actor = { role: "user", name: "root", by: { kind: "local" } };
    expect(put(plane, { ...tolerating(""), driver: "process" }, root)).toBe("committed");
  });
});

test("a caller gives the use of a driver or a pool only if it has it [AZ12]", () => {
  const writes: AccessRule = {
    verbs: ["create", "update"],
    apiGroups: ["rbac.authorization.k8s.io"],
    resources: ["clusterroles"],
  };
  const plane = aPlaneWithPools([writes, use("nodepools", "gpu")]);
  const give = (...rules: AccessRule[]) => {
    const key = keyOf({ kind: "ClusterRole", namespace: "", name: "given" });
    return codeOf(
      plane.send(putting(key, { kind: "ClusterRole", spec: { rules } }), { actor: ana }),
    );
  };
  expect(give(use("drivers", "process"))).toBe("role-escalated");
  expect(give(use("nodepools"))).toBe("role-escalated");
  expect(give(use("nodepools", "gpu"))).toBe("committed");
});

function runAs(user: string) {
  return { env: {}, workingDir: "", user, ports: [], stopGraceMs: 1_000 };
}
