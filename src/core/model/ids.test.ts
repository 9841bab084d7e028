import { expect, test } from "vitest";
import { keyOf, leaseKey, nodeKey, parseKey, quotaKey, replicaKey, workloadKey } from "./ids.ts";

test("a key says kind, namespace and name, and is read back to the same", () => {
  for (const key of [nodeKey("a-1"), leaseKey("a-1"), quotaKey("t"), workloadKey("t", "api")]) {
    expect(keyOf(parseKey(key))).toBe(key);
  }
  expect(parseKey(nodeKey("a-1"))).toEqual({ kind: "Node", namespace: "", name: "a-1" });
  expect(parseKey(workloadKey("t", "a.b"))).toEqual({
    kind: "Workload",
    namespace: "t",
    name: "a.b",
  });
});

test("indexes and generations never share a name, not even across workloads with dots [BD1]", () => {
  const names = new Set<string>();
  for (const workload of ["a", "a.1", "a.1.1"]) {
    for (const generation of [1, 11]) {
      for (const index of [1, 11])
        names.add(replicaKey({ tenant: "t", workload, generation, index }));
    }
  }
  expect(names.size).toBe(12);
});
