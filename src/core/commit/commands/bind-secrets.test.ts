import { expect, test } from "vitest";
import { aPlane, indexKey, type Plane, putting } from "../../../../test/builders/a-plane.ts";
import type { RunOptions } from "../../model/run-options.ts";
import { secretKey } from "../../model/secret/secret-refs.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const run: RunOptions = {
  env: {},
  secretEnv: { PASSWORD: { name: "db", key: "password" } },
  workingDir: "",
  user: "",
  ports: [],
  stopGraceMs: 1,
};
const seal = { id: "a".repeat(32), keyId: `k${"1".repeat(16)}`, dataKey: "AAAA" };
const value = { box: "AAAA", digest: "0".repeat(32), bytes: 1 };
const KEY = secretKey("payments", "db");

const bind = (plane: Plane): Outcome =>
  plane.send(
    { kind: "bind", replica: indexKey(0), incarnation: 1, node: "a-1", deviceIds: [] },
    { role: "place" },
  );
function put(plane: Plane, key: string): void {
  const spec = { type: "Opaque", seal, values: { [key]: value } };
  plane.must(putting(KEY, { kind: "Secret", spec }));
}

test("a replica is bound only with every secret and key that its template names [SE10]", () => {
  const plane = aPlane({ desired: { run } });
  plane.queued(0);
  const lacking = {
    kind: "conflict",
    code: "secret-missing",
    field: indexKey(0),
    expected: "secret db/password",
  };
  expect(bind(plane)).toMatchObject(lacking);
  put(plane, "user");
  expect(bind(plane)).toMatchObject(lacking);
  put(plane, "password");
  expect(bind(plane).kind).toBe("committed");
});

test("a secret in use can be deleted, as in Kubernetes, and a bound replica stays [SE10]", () => {
  const plane = aPlane({ desired: { run } });
  plane.queued(0);
  put(plane, "password");
  bind(plane);
  plane.must({ kind: "delete", key: KEY, expect: {} });
  expect(plane.ledger.objects.replica(indexKey(0))?.status.stage).toBe("bound");
});
