/** Senders that mean harm, with ordinary credentials: what they break is their own, and nobody else's work stops. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const serving = (told: Told, workload: string): number =>
  told
    .replicasAtEnd()
    .filter((text) => text.startsWith(`${workload}.`) && text.includes(" serving on ")).length;

describe("hostile senders", () => {
  it("scenario: an agent lies: work that is not on its node goes on [INV180] [INV181] [INV183] [LIV80]", () => {
    const told = tell("agent-that-lies");
    expect(told.surprises).toEqual([]);
    expect(serving(told, "shop")).toBe(4);
  });

  it("scenario: a user attacks: the other tenant is served [INV181] [INV182] [LIV80]", () => {
    const told = tell("user-that-attacks");
    expect(told.surprises).toEqual([]);
    expect(serving(told, "shop")).toBe(4);
  });

  it("scenario: a machine registers itself: it gets no work [INV184] [NR4]", () => {
    const told = tell("machine-that-registers-itself");
    expect(told.surprises).toEqual([]);
    expect(serving(told, "shop")).toBe(2);
    const made = told.commits.filter(({ actor }) => actor.name === "agent:ghost");
    expect(new Set(made.map(({ command }) => command))).toEqual(new Set(["put", "lease"]));
  });

  it("scenario: more than a hundred tiny replicas leave for urgent work [PE3] [LIV9]", () => {
    const told = tell("many-tiny-replicas-shield-nobody");
    expect(told.surprises).toEqual([]);
    expect(serving(told, "checkout")).toBe(1);
  });

  it("power: with one space of ids for all, a guess stops the work of others", async () => {
    const of = { defect: "operations-in-one-space", scenario: "user-that-attacks" };
    const found = await power({ ...of, prove: () => undefined });
    expect(found.withFaults).toMatch(/^INV181: /);
  });
});
