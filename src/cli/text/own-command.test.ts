import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shellWord } from "../../steering/shell-word.ts";
import { ownCommand } from "./own-command.ts";

let folder: string;
let script: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "berth own-"));
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "path"));
  script = join(folder, "bin", "berth");
  writeFileSync(script, "");
  symlinkSync(script, join(folder, "path", "berth"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("ownCommand()", () => {
  test("is the plain name where the PATH leads to this very script", () => {
    const PATH = `/nowhere:${join(folder, "path")}`;
    expect(ownCommand({ script, folder, environment: { PATH } })).toBe("berth");
  });

  test("is the path of the script where the PATH does not lead to it", () => {
    const environment = { PATH: "/nowhere" };
    expect(ownCommand({ script, folder, environment })).toBe("bin/berth");
    expect(ownCommand({ script, folder: "/", environment })).toContain("berth own-");
    expect(ownCommand({ script, folder: join(folder, "path"), environment })).toBe(`'${script}'`);
  });

  test("is the plain name where another program calls the command line in its process", () => {
    const other = join(folder, "runner.js");
    writeFileSync(other, "");
    expect(ownCommand({ script: other, folder, environment: {} })).toBe("berth");
  });

  test("asks npx where npx has called it, and takes no folder of npm for the reader's PATH", () => {
    const PATH = join(folder, "path");
    const of = (npm_command: string) =>
      ownCommand({ script, folder, environment: { PATH, npm_command } });
    expect(of("exec")).toBe("npx berth");
    expect(of("run-script")).toBe("bin/berth");
  });
});

test("a word with spaces or quotes is one word to a shell", () => {
  expect(shellWord("/srv/berth-1")).toBe("/srv/berth-1");
  expect(shellWord("/srv/my data")).toBe("'/srv/my data'");
  expect(shellWord("ana's")).toBe(`'ana'\\''s'`);
});
