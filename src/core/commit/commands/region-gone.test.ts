import { describe, expect, test } from "vitest";
import { alike, RegionalPair } from "../../../../test/builders/a-regional-pair.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Evidence } from "../../model/evidence.ts";
import type { Role } from "../../model/actor.ts";

const WORD: Evidence = { kind: "person", name: "ops", statement: "it burnt down" };
const gone = (incarnation = 1, evidence: Evidence = WORD) =>
  ({ kind: "region-gone", region: "west", incarnation, evidence }) as const;

function aLentPair(): RegionalPair {
  const pair = new RegionalPair();
  pair.exchange();
  pair.lend(500);
  pair.exchange();
  return pair;
}

describe("a person's word that a region is gone", () => {
  test("gives back what it was lent, and lets the others go on [RG14]", () => {
    const pair = aLentPair();
    pair.global.must({ kind: "incarnate", plane: { role: "global" }, incarnation: 2 });
    pair.planned("east");
    expect(codeOf(pair.global.send(gone()))).toBe("committed");
    expect(pair.committed()).toEqual(alike(0));
    const report = { ...pair.report({ region: "east", grants: [] }), global: 2 };
    pair.hear(report);
    const to = { tenant: "payments", region: "east", incarnation: 1, version: 1 };
    const lend = { kind: "lend", ...to, amounts: alike(1_000) } as const;
    expect(codeOf(pair.global.send(lend))).toBe("committed");
  });

  test("closes the door to that incarnation, and to no later one [RG14]", () => {
    const pair = aLentPair();
    pair.global.must(gone());
    expect(codeOf(pair.hear())).toBe("region-superseded");
    expect(codeOf(pair.lend(100))).toBe("region-superseded");
    expect(codeOf(pair.global.send(gone()))).toBe("region-superseded");
    pair.incarnateWest(2);
    pair.exchange();
    expect(codeOf(pair.lend(100))).toBe("committed");
  });

  const cases: readonly (readonly [string, ReturnType<typeof gone>, Role, string])[] = [
    ["of a controller", gone(), "apportion", "not-owner"],
    ["without a person", gone(1, { kind: "drain", node: "a" }), "user", "evidence-missing"],
    ["about another incarnation", gone(2), "user", "region-superseded"],
  ];
  test.each(cases)("is refused %s [RG14]", (_, intent, role, code) => {
    expect(codeOf(aLentPair().global.send(intent, { role }))).toBe(code);
  });
});
