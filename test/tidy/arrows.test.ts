import { describe, expect, it } from "vitest";
import { findForbiddenImports } from "./arrows.ts";

const scan = (path: string, text: string): string[] => findForbiddenImports([{ path, text }]);

describe("findForbiddenImports()", () => {
  it.each([
    ["src/core/a.ts", 'import { readFileSync } from "node:fs";'],
    ["src/core/a.ts", 'import fs from "fs";'],
    ["src/core/a.ts", 'import { x } from "yaml";'],
    ["src/core/a.ts", 'import "yaml";'],
    ["src/core/a.ts", 'import {\n  x,\n} from "../sim/x.ts";'],
    ["src/core/a.ts", 'import type { X } from "../sim/x.ts";'],
    ["src/core/a.ts", 'export { x } from "../host/x.ts";'],
    ["src/core/deep/a.ts", 'const x = import("../../cli/x.ts");'],
    ["src/core/a.ts", 'import { x } from "../core-like/x.ts";'],
    ["src/sim/a.ts", 'import { x } from "../host/x.ts";'],
    ["src/sim/a.ts", 'import { x } from "node:crypto";'],
  ])("finds that %s may not have: %s", (path, text) => {
    expect(scan(path, text)).toHaveLength(1);
  });

  it.each([
    ["src/core/commit/a.ts", 'import { x } from "../model/x.ts";'],
    ["src/core/a.ts", '// import { x } from "node:fs";'],
    ["src/core/a.ts", "const text = 'import { x } from \"node:fs\"';"],
    ["src/sim/a.ts", 'import { x } from "../core/x.ts"; import { y } from "./y.ts";'],
    ["src/core/a.test.ts", 'import { it } from "vitest";'],
    ["src/host/a.ts", 'import { x } from "node:fs";'],
  ])("lets %s have: %s", (path, text) => {
    expect(scan(path, text)).toEqual([]);
  });
});
