import { describe, expect, test } from "vitest";
import { aPlane, type Plane, putting } from "../../../test/builders/a-plane.ts";
import { anOverrideSpec } from "../../../test/builders/an-override.ts";
import { type OverrideSpec, overrideKey } from "../../core/model/override.ts";
import type { Override } from "../../core/model/objects.ts";
import { endingsOf, eventsOf } from "../events/events-of.ts";
import { overrideKind } from "./override.ts";

const KEY = overrideKey("ov-1");
const POST = { tenant: "payments", workload: "api", serving: 1 };

function aHeldPlane(of: Partial<OverrideSpec> = {}): Plane {
  const plane = aPlane();
  plane.must(
    putting(KEY, { kind: "Override", spec: anOverrideSpec({ postcondition: POST, ...of }) }),
  );
  return plane;
}

const shown = (plane: Plane) => overrideKind.toApi(plane.get(KEY)!, plane.ledger.objects);

describe("an override as people write it", () => {
  test("is what they read [OV1]", () => {
    const plane = aHeldPlane({ target: { region: "eu", zone: "eu-a" } });
    const { spec } = shown(plane);
    expect(spec).toEqual({
      action: "avoid-zone",
      target: { region: "eu", zone: "eu-a" },
      reason: "flaky power",
      ttl: "1m",
      postcondition: POST,
    });
    expect(overrideKind.toDesired(spec)).toEqual({
      kind: "Override",
      spec: (plane.get(KEY) as Override).spec,
    });
  });

  const cases: readonly [title: string, spec: object, field: string, text: RegExp][] = [
    [
      "a target of another action",
      { target: { node: "n1" } },
      "spec.target",
      /found node; avoid-zone needs zone, or region and zone\./,
    ],
    ["no target", { target: undefined }, "spec.target", /found nothing/],
    ["an amount where there is none", { amount: 2 }, "spec.amount", /found 2; expected none/],
    ["more than a week", { ttl: "200h" }, "spec.ttl", /found "200h"; expected a duration/],
  ];
  test.each(cases)("%s is told with its field [OV1]", (_, part, field, text) => {
    const written = {
      action: "avoid-zone",
      target: { zone: "eu-a" },
      reason: "x",
      ttl: "1m",
      ...part,
    };
    expect(overrideKind.toDesired(written)).toEqual([
      { field, message: expect.stringMatching(text) },
    ]);
  });
});

describe("what is shown of it", () => {
  test("whose it is, until when, and how much it covers [OV2]", () => {
    const plane = aHeldPlane({ target: { zone: aPlane().node().spec.zone } });
    const cells = overrideKind.columns.map((column) =>
      column.cell(plane.get(KEY)!, plane.ledger.objects),
    );
    expect(cells.slice(0, 6)).toEqual([
      "avoid-zone",
      `zone ${plane.node().spec.zone}`,
      "user",
      "1970-01-01T00:01:00Z",
      "1 node",
      "flaky power",
    ]);
  });

  test("whether its postcondition holds, and again when it ends [OV13]", () => {
    const plane = aHeldPlane();
    const condition = () => (shown(plane).status as { conditions: object[] }).conditions[0];
    expect(condition()).toMatchObject({ type: "PostconditionHolds", status: "False" });
    expect(eventsOf(plane.lastCommit)).toMatchObject([{ reason: "Overridden" }]);
    plane.nowMs = 60_000;
    const evidence = { kind: "override-over", override: KEY, untilMs: 60_000 } as const;
    plane.must({ kind: "expire", key: KEY, incarnation: 1, evidence }, { role: "expire-override" });
    const failed = endingsOf(plane.lastCommit, plane.ledger.objects);
    expect(failed).toMatchObject([{ type: "Warning", reason: "OverrideExpired" }]);
    plane.serving();
    plane.must(putting(KEY, { kind: "Override", spec: anOverrideSpec({ postcondition: POST }) }));
    expect(condition()).toMatchObject({
      status: "True",
      message: "1 of payments/api serve; 1 should when it ends.",
    });
    plane.must({ kind: "delete", key: KEY, expect: {} }, { role: "user" });
    expect(endingsOf(plane.lastCommit, plane.ledger.objects)).toMatchObject([
      { type: "Normal", reason: "OverrideReleased", about: { kind: "Override", name: "ov-1" } },
    ]);
  });
});
