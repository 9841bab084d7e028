import { expect, it } from "vitest";
import { findDeadExports } from "./dead-exports.ts";

const a = { path: "src/a.ts", text: "export const used = 1;\nexport function dead() {}\n" };

it("finds an export that stands nowhere else, and lets one be that another file uses", () => {
  const b = { path: "src/b.ts", text: 'import { used } from "./a.ts";\n' };
  expect(findDeadExports([a, b])).toEqual([
    "src/a.ts:2 exports dead, which nothing uses: delete it.",
  ]);
});

it("does not look at what tests export, nor at words in strings", () => {
  const text = "export const alone = 1;\n";
  expect(findDeadExports([{ path: "test/builders/a.ts", text }])).toEqual([]);
  expect(
    findDeadExports([{ path: "src/c.ts", text: "const x = `\nexport const y = 1;\n`;" }]),
  ).toEqual([]);
});
