import { expect, test } from "vitest";
import { aPlane, type Plane, putting } from "../../../../test/builders/a-plane.ts";
import { anOverrideSpec } from "../../../../test/builders/an-override.ts";
import { type OverrideSpec, overrideKey } from "../../model/override.ts";
import { whatIf, whyNot } from "../../explain/what-if.ts";

function aPlaneWith(of: Partial<OverrideSpec>): Plane {
  const plane = aPlane();
  plane.queued();
  plane.must(putting(overrideKey("ov-1"), { kind: "Override", spec: anOverrideSpec(of) }));
  return plane;
}

const RELEASE = { kind: "release-override", override: "ov-1", owner: "user", untilMs: 60_000 };

test.each<Partial<OverrideSpec>>([
  { action: "avoid-node", target: { node: "a-1" } },
  { action: "freeze-tenant", target: { tenant: "payments" } },
])(
  "an override that keeps a replica from a node is told, and that its end would help [EX1] [EX2]",
  (of) => {
    const plane = aPlaneWith(of);
    const { objects } = plane.ledger;
    expect(whyNot(objects, plane.replica(), "a-1")).toMatchObject([
      { rule: "override", code: "held-by-override", remedy: RELEASE },
    ]);
    const { suggestions, fitsNow } = whatIf(objects, plane.replica());
    expect(fitsNow).toBeUndefined();
    expect(suggestions[0]).toMatchObject({ remedies: [RELEASE], node: "a-1" });
  },
);

test("a new node in a zone that is avoided is not suggested, and one that is not meant is not told [EX1] [EX2]", () => {
  const plane = aPlane();
  plane.queued();
  const { zone } = plane.node().spec;
  plane.must(
    putting(overrideKey("ov-1"), { kind: "Override", spec: anOverrideSpec({ target: { zone } }) }),
  );
  const { suggestions } = whatIf(plane.ledger.objects, plane.replica());
  expect(suggestions.flatMap(({ remedies }) => remedies.map(({ kind }) => kind))).toEqual([
    "release-override",
  ]);
  const other = aPlaneWith({ action: "avoid-node", target: { node: "b-9" } });
  expect(whyNot(other.ledger.objects, other.replica(), "a-1")).toEqual([]);
  expect(whatIf(other.ledger.objects, other.replica()).fitsNow).toBe("a-1");
});
