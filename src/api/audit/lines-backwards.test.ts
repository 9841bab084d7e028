import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { linesBackwards } from "./lines-backwards.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-lines-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(text: string, blockBytes: number): Promise<readonly string[]> {
  const path = join(folder, "lines");
  writeFileSync(path, text);
  const lines: string[] = [];
  for await (const block of linesBackwards(path, blockBytes)) lines.push(...block);
  return lines;
}

test("property: every line comes once and whole, the last one first, whatever the size of a block [ID8]", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", "ä", "€", "𝄞", " "), minLength: 1 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      async (lines, blockBytes, isCutOff) => {
        const text = lines.map((each) => `${each}\n`).join("");
        const written = isCutOff ? text.slice(0, -1) : text;
        expect(await read(written, blockBytes)).toEqual(lines.toReversed());
      },
    ),
  );
});

test("a block holds no more than its size and the line that it ends in: others get their turn [ID8] [HB5]", async () => {
  const path = join(folder, "long");
  writeFileSync(path, `${"x".repeat(99)}\n`.repeat(1_000));
  const sizes: number[] = [];
  for await (const block of linesBackwards(path, 1_000)) sizes.push(block.join("\n").length + 1);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_100);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(100_000);
});

test("a file that is not there has no lines", async () => {
  for await (const block of linesBackwards(join(folder, "none"))) expect(block).toEqual([]);
});
