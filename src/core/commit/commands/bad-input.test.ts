import { describe, expect, test } from "vitest";
import { aPlane } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { ObjectKey } from "../../model/ids.ts";

describe("what no honest component sends", () => {
  test("an unknown kind is refused, and the plane goes on [OB5] [OB1]", () => {
    const plane = aPlane();
    const key = "Foo//x" as ObjectKey;
    const desired = { kind: "Tenant", spec: { displayName: "x" } } as const;
    const put = { kind: "put", key, desired, labels: {}, finalizers: [], expect: {} } as const;
    expect(codeOf(plane.send(put))).toBe("bad-object");
    expect(codeOf(plane.send({ kind: "delete", key, expect: {} }))).toBe("no-such-object");
  });

  test.each([Number.NaN, 1.5, Number.POSITIVE_INFINITY])(
    "a renewal numbered %s is refused [LS3]",
    (seq) => {
      const plane = aPlane();
      const lease = { kind: "lease", node: "a-1", session: 2, seq, kept: [] } as const;
      expect(codeOf(plane.send(lease, { role: "agent" }))).toBe("bad-object");
    },
  );
});
