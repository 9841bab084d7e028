import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readInput } from "./read-input.ts";

describe("readInput()", () => {
  it("reads the file's text", () => {
    const file = fileURLToPath(import.meta.url);
    expect(readInput(file)).toBe(readFileSync(file, "utf8"));
  });

  it("names the file that cannot be read, and says why", () => {
    expect(() => readInput("no-such-folder/scenario.yaml")).toThrow(
      expect.objectContaining({
        code: "unreadable-file",
        message: expect.stringContaining("ENOENT"),
        place: { file: "no-such-folder/scenario.yaml" },
      }),
    );
  });
});
