import { describe, expect, it } from "vitest";
import { mutatedSources, readMutants } from "./mutant-file.ts";

describe("mutants", () => {
  it("are at least twenty, with a name and a story each", () => {
    const mutants = readMutants();
    expect(mutants.length).toBeGreaterThanOrEqual(20);
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
    for (const { about } of mutants) expect(about).not.toBe("");
  });

  it.each(readMutants())("$name still applies to the source", (mutant) => {
    const sources = mutatedSources(mutant);
    expect(sources.size).toBeGreaterThan(0);
  });
});
