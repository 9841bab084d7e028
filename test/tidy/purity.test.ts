import { describe, expect, it } from "vitest";
import { findImpurities } from "./purity.ts";

const scan = (text: string, path = "src/core/x.ts"): string[] => findImpurities([{ path, text }]);

describe("findImpurities()", () => {
  it.each([
    "const now = Date.now();",
    "let at: Date;",
    "performance.now();",
    "const r = Math.random();",
    "process.exit(1);",
    "process.hrtime.bigint();",
    "if (process.env.DEBUG) x();",
    'process["exit"](1);',
    "globalThis.x;",
    "fetch(url);",
    "setTimeout(f, 1);",
    "setInterval(f, 1);",
    "queueMicrotask(f);",
    "async function f() {}",
    "const f = async () => 1;",
    "await f();",
    "let p: Promise<void>;",
    "a.localeCompare(b);",
    "a.toLocaleString();",
    "new Intl.Collator();",
    "Math.pow(a, b);",
    "Math.exp(a);",
    "Math.log2(a);",
    "Math.sqrt(a);",
    "Math.sin(a);",
    "Math.atan2(a, b);",
    "const x = a ** 2;",
    "const x = 10 ** 3;",
    "const x = `${Date.now()}`;",
    "new WeakRef(x);",
  ])("finds the impurity in: %s", (text) => {
    expect(scan(text)).toHaveLength(1);
    expect(scan(text, "src/sim/x.ts")).toHaveLength(1);
  });

  it.each([
    "// The Date is not used, nor is await.",
    'throw new Error("no Promise, no Math.random");',
    "const deadline = ctx.now + RESYNC_MS;",
    "const updatedDate = 1;",
    "shell.process.exit();",
    'if (process.phase === "gone") x();',
    "const wide = 2 ** 32;",
    "Math.max(1, Math.floor(a / b), Math.imul(a, b));",
    "/** Doc. */ const x = a * b;",
  ])("finds nothing in: %s", (text) => {
    expect(scan(text)).toEqual([]);
  });

  it("leaves tests and shells alone", () => {
    expect(scan("Date.now();", "src/core/x.test.ts")).toEqual([]);
    expect(scan("Date.now();", "src/host/x.ts")).toEqual([]);
  });

  it("names the file, the line and the way out", () => {
    expect(scan("\n\nDate.now();")).toEqual(["src/core/x.ts:3 uses Date: take time from ctx.now."]);
  });
});
