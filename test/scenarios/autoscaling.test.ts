/** What is scaled by itself, among views that are old and people who write, too. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const AUTOSCALER = "Autoscaler/risk/risk-api";

/** A fourth is asked for while three serve, and more than that only when the fourth has a place. */
function scalesOnceItCanServe(told: Told): void {
  const ups = told.committed(/^scale\/Autoscaler\/risk\/risk-api/);
  expect(ups.map(({ operation }) => operation.split("/").at(-1))).toEqual(["4", "6"]);
  expect(ups[0]).toMatchObject({ evidence: { kind: "load-observed", observation: 1 } });
  const bound = told.commits.filter(
    ({ command, changes }) =>
      command.startsWith("bind") && changes.some(({ key }) => key === "Replica/risk/risk-api.1.3"),
  );
  expect(bound[0]!.revision).toBeLessThan(ups[1]!.revision);
}

describe("an autoscaler", () => {
  const scenario = "autoscaler-meets-a-stale-quota";

  it("scenario: quota that is short, and quota that no controller has seen yet, are no lack of replicas [AS5] [AS6] [INV151]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    const said = told
      .waits("scale", AUTOSCALER, "scale-refused")
      .map(({ because }) => because.summary);
    const reasons = said.map((text) => /\((.+?)\)/.exec(text)?.[1]);
    expect(reasons[0]).toBe("quota");
    expect(reasons).toContain("stale-view");
    scalesOnceItCanServe(told);
    const serving = told.replicasAtEnd().filter((line) => line.includes("serving"));
    expect(serving).toHaveLength(6);
  });

  it("power: one that takes a waiting replica for a lack of replicas asks for more at once", async () => {
    const defect = "more-of-what-waits";
    const told = await power({ defect, scenario, prove: scalesOnceItCanServe });
    expect(told.withFaults).toMatch(/^INV151: /);
  });
});
