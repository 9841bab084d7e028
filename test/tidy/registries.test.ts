import { describe, expect, it } from "vitest";
import {
  findUndocumentedCodes,
  findUnknownCodes,
  findUnknownRules,
  type Registry,
  registryCodes,
} from "./registries.ts";

const SOURCE = `
/** Codes. */
export const ERRORS: Readonly<Record<string, Entry>> = {
  // "not-a-code": "A comment.",
  "node-full": { rule: "BD4", sentence: "No room: { none, at all }." },
  lost: { rule: "BD5", sentence: "It is gone." },
} as const;
export const OTHER = { "not-mine": 1 };
`;

const registry = (document: string, source = SOURCE): Registry => ({
  name: "ERRORS",
  source: { path: "errors.ts", text: source },
  document: { path: "errors.md", text: document },
});

describe("registries", () => {
  it("registryCodes() reads the keys of the object, quoted or not, and no others", () => {
    expect(registryCodes(SOURCE, "ERRORS")).toEqual(["node-full", "lost"]);
    expect(registryCodes(SOURCE, "OTHER")).toEqual(["not-mine"]);
    expect(registryCodes(SOURCE, "MISSING")).toBeUndefined();
  });

  it("findUndocumentedCodes() finds a code that the document does not have in backticks", () => {
    expect(findUndocumentedCodes(registry("`node-full` and `lost`"))).toEqual([]);
    expect(findUndocumentedCodes(registry("`node-full` and lost"))).toEqual([
      "errors.md does not explain `lost` of errors.ts: add it.",
    ]);
  });

  it("findUndocumentedCodes() does not take a missing or an empty registry for a complete one", () => {
    expect(findUndocumentedCodes(registry("", "export const X = 1;"))).toHaveLength(1);
    expect(findUndocumentedCodes(registry("", "export const ERRORS = {};"))).toHaveLength(1);
  });

  it("findUnknownCodes() finds a row for a code that is no longer there", () => {
    const ours = registry("| `lost` | x |\n| `old` | x |\n");
    expect(findUnknownCodes(ours.document, [ours])).toEqual([
      "errors.md explains `old`, which errors.ts does not have.",
    ]);
    const source = { path: "more.ts", text: 'export const MORE = { old: "x" };' };
    expect(findUnknownCodes(ours.document, [ours, { name: "MORE", source }])).toEqual([]);
  });

  it("findUnknownRules() finds a rule that the specification does not have", () => {
    expect(findUnknownRules(registry("**[BD4]** a\n**[BD5]** b\n"))).toEqual([]);
    expect(findUnknownRules(registry("**[BD4]** a\n"))).toEqual([
      "errors.ts names [BD5], which errors.md does not have.",
    ]);
  });
});
