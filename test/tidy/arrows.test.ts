import { describe, expect, it } from "vitest";
import { ARROWS, findForbiddenImports } from "./arrows.ts";

const scan = (path: string, text: string): string[] => findForbiddenImports([{ path, text }]);

describe("findForbiddenImports()", () => {
  it.each([
    ["src/core/model/a.ts", 'import { readFileSync } from "node:fs";'],
    ["src/core/a.ts", 'import fs from "fs";'],
    ["src/core/a.ts", 'import { x } from "yaml";'],
    ["src/core/a.ts", 'import "yaml";'],
    ["src/core/a.ts", 'import {\n  x,\n} from "../sim/x.ts";'],
    ["src/core/a.ts", 'import type { X } from "../sim/x.ts";'],
    ["src/core/a.ts", 'export { x } from "../host/x.ts";'],
    ["src/core/rules/a.ts", 'const x = import("../../cli/x.ts");'],
    ["src/core/a.ts", 'import { x } from "../core-like/x.ts";'],
    ["src/core/model/a.ts", 'import { x } from "../observe/x.ts";'],
    ["src/core/observe/accounts/a.ts", 'import { x } from "../../rules/x.ts";'],
    ["src/core/rules/a.ts", 'import { x } from "../propose/x.ts";'],
    ["src/core/commit/commands/a.ts", 'import { x } from "../../propose/scale/x.ts";'],
    ["src/core/propose/a.ts", 'import { x } from "../commit/x.ts";'],
    ["src/core/propose/a.ts", 'import { x } from "../correct/x.ts";'],
    ["src/core/correct/a.ts", 'import { x } from "../propose/x.ts";'],
    ["src/core/runner/a.ts", 'import { x } from "../correct/x.ts";'],
    ["src/core/rules/a.ts", 'import { x } from "../all-controllers.ts";'],
    ["src/sim/a.ts", 'import { x } from "../host/x.ts";'],
    ["src/sim/a.ts", 'import { x } from "node:crypto";'],
    ["src/host/a.ts", 'import { x } from "../agent/x.ts";'],
    ["src/agent/a.ts", 'import { x } from "../host/x.ts";'],
    ["src/api/routes/a.ts", 'import { x } from "../../cli/x.ts";'],
    ["bench/path/a.ts", 'import { x } from "../../src/cli/x.ts";'],
    ["web/src/app/a.tsx", 'import { x } from "../../../src/cli/x.ts";'],
    ["src/attic/a.ts", 'import { x } from "../core/x.ts";'],
  ])("finds that %s may not have: %s", (path, text) => {
    expect(scan(path, text)).toHaveLength(1);
  });

  it.each([
    ["src/core/commit/a.ts", 'import { x } from "../model/x.ts";'],
    ["src/core/commit/commands/a.ts", 'import { x } from "../../rules/scale/x.ts";'],
    ["src/core/all-controllers.ts", 'import { x } from "./propose/x.ts";'],
    ["src/core/a.ts", '// import { x } from "node:fs";'],
    ["src/core/a.ts", "const text = 'import { x } from \"node:fs\"';"],
    ["src/sim/a.ts", 'import { x } from "../core/x.ts"; import { y } from "./y.ts";'],
    ["src/core/a.test.ts", 'import { it } from "vitest";'],
    ["src/host/a.ts", 'import { x } from "node:fs";'],
    ["src/cli/commands/a.ts", 'import { x } from "../../sim/swarm/x.ts";'],
    ["web/src/app/a.tsx", 'import "./a.css"; import { x } from "../../../src/api/kinds/x.ts";'],
  ])("lets %s have: %s", (path, text) => {
    expect(scan(path, text)).toEqual([]);
  });
});

it("no two folders may import from each other", () => {
  for (const [folder, targets] of ARROWS) {
    for (const target of targets) {
      expect(ARROWS.get(target) ?? [], `${folder} and ${target}`).not.toContain(folder);
    }
  }
});
