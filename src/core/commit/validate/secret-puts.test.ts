import { describe, expect, test } from "vitest";
import { aPlane, type Plane, putting } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { type ObjectKey, tenantKey } from "../../model/ids.ts";
import { SECRET_MOST } from "../../model/limits/secret-limits.ts";
import type { SealedValue, SecretSpec } from "../../model/secret/secret.ts";

const secretKey = (name: string): ObjectKey => `Secret/payments/${name}` as ObjectKey;
const seal = { id: "a".repeat(32), keyId: `k${"1".repeat(16)}`, dataKey: "AAAA" };
const aValue = (letter: string, bytes = 4): SealedValue => ({
  box: letter.repeat(8),
  digest: letter.repeat(32),
  bytes,
});
const aSpec = (of: Partial<SecretSpec> = {}): SecretSpec => ({
  type: "Opaque",
  seal,
  values: { password: aValue("a") },
  ...of,
});
const putSecret = (plane: Plane, spec: SecretSpec, name = "db") =>
  plane.send(putting(secretKey(name), { kind: "Secret", spec }));

describe("a put of a secret", () => {
  test("is rejected with another id of its seal, and without a seal of its values [SE3]", () => {
    const plane = aPlane();
    expect(codeOf(putSecret(plane, aSpec()))).toBe("committed");
    const other = { ...seal, id: "b".repeat(32) };
    expect(putSecret(plane, aSpec({ seal: other }))).toMatchObject({
      code: "bad-object",
      field: "Secret/payments/db seal.id",
    });
    const { seal: _, ...unsealed } = aSpec();
    expect(codeOf(putSecret(plane, unsealed))).toBe("bad-object");
    expect(codeOf(putSecret(plane, aSpec({ values: { password: aValue("?") } })))).toBe(
      "bad-object",
    );
  });

  test("does not change what is immutable, but may seal it anew [SE6]", () => {
    const plane = aPlane();
    putSecret(plane, aSpec({ immutable: true }));
    const refused = [
      aSpec(),
      aSpec({ immutable: true, type: "other" }),
      aSpec({ immutable: true, values: { password: aValue("b") } }),
      aSpec({ immutable: true, values: {} }),
      aSpec({
        immutable: true,
        seal: { ...seal, dataKey: "BBBB" },
        values: { password: aValue("b", 5) },
      }),
    ];
    for (const spec of refused) expect(codeOf(putSecret(plane, spec))).toBe("bad-object");
    const anew = { ...seal, keyId: `k${"2".repeat(16)}`, dataKey: "BBBB" };
    const resealed = aSpec({ immutable: true, seal: anew, values: { password: aValue("b") } });
    expect(codeOf(putSecret(plane, resealed))).toBe("committed");
  });

  test("is bounded in bytes, and a tenant in secrets, which go with it [SE7]", () => {
    const plane = aPlane();
    const most = SECRET_MOST.secretValueBytes;
    const values = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`v${at}`, aValue("a", most)]),
    );
    expect(codeOf(putSecret(plane, aSpec({ values })))).toBe("object-too-large");
    for (let at = 0; at < SECRET_MOST.tenantSecrets; at++) {
      expect(codeOf(putSecret(plane, aSpec(), `s-${at}`))).toBe("committed");
    }
    expect(putSecret(plane, aSpec(), "more")).toMatchObject({
      code: "tenant-full",
      field: "Tenant//payments secrets",
    });
    expect(codeOf(putSecret(plane, aSpec({ type: "changed" }), "s-0"))).toBe("committed");
  });

  test("needs a tenant that stays [SE7]", () => {
    const plane = aPlane();
    plane.must({ kind: "delete", key: tenantKey("payments"), expect: {} });
    expect(codeOf(putSecret(plane, aSpec()))).toBe("being-deleted");
    const nowhere = putting("Secret/none/db" as ObjectKey, { kind: "Secret", spec: aSpec() });
    expect(codeOf(plane.send(nowhere))).toBe("no-such-object");
  });
});
