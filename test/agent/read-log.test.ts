import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rotateLog } from "../../src/agent/logs/rotate-log.ts";
import { readLog } from "../../src/agent/logs/read-log.ts";
import { eventually } from "./a-driver.ts";
import { removeFolder } from "../builders/remove-folder.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-log-"));
  file = join(folder, "stdout.log");
});
afterEach(() => removeFolder(folder));

const quiet = new AbortController().signal;

async function read(tailLines?: number, files = [file]): Promise<string> {
  const parts: Buffer[] = [];
  const of = { files, follow: false, tailLines, isEnded: () => false, signal: quiet };
  for await (const part of readLog(of)) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe("reading a log", () => {
  test("gives the file that was rotated away, then the present one, of each stream", async () => {
    writeFileSync(`${file}.1`, "a\n");
    writeFileSync(file, "b\n");
    writeFileSync(`${file}.err`, "c\n");
    expect(await read(undefined, [file, `${file}.err`])).toBe("a\nb\nc\n");
  });

  test("of a file that is not there gives nothing", async () => {
    expect(await read()).toBe("");
    expect(await read(3)).toBe("");
  });

  test("gives what is larger than one part, whole", async () => {
    const text = `${"x".repeat(299_999)}\n`.repeat(3);
    writeFileSync(file, text);
    expect(await read()).toBe(text);
    expect(await read(2)).toBe(text.slice(300_000));
  });

  test.each([
    { title: "none", lines: 0, seen: "" },
    { title: "one", lines: 1, seen: "f\n" },
    { title: "all of the present file", lines: 3, seen: "d\n\nf\n" },
    { title: "some of the file before it", lines: 4, seen: "c\nd\n\nf\n" },
    { title: "more than there are", lines: 99, seen: "a\nb\nc\nd\n\nf\n" },
  ])("gives the last lines: $title", async ({ lines, seen }) => {
    writeFileSync(`${file}.1`, "a\nb\nc\n");
    writeFileSync(file, "d\n\nf\n");
    expect(await read(lines)).toBe(seen);
  });

  test("takes a last line without an end for a line", async () => {
    writeFileSync(file, "a\nb\nhal");
    expect(await read(1)).toBe("hal");
    expect(await read(2)).toBe("b\nhal");
  });
});

/** As the writer of a replica's log does. */
const turnOver = (text: string): void => {
  if (existsSync(file)) renameSync(file, `${file}.1`);
  writeFileSync(file, text);
};

describe("following a log", () => {
  test("goes on through a rotation, loses nothing, and ends with the process", async () => {
    let isEnded = false;
    let text = "";
    const of = { files: [file], follow: true, tailLines: 1, isEnded: () => isEnded, signal: quiet };
    writeFileSync(file, "old\nbegin\n");
    const following = (async () => {
      for await (const part of readLog(of)) text += part.toString();
    })();
    const seen = (end: string): Promise<boolean> => eventually(end, () => text.endsWith(end));
    await seen("begin\n");
    appendFileSync(file, "before\n");
    await rotateLog(file, 12);
    // As long as what was there before: its size alone tells nothing.
    appendFileSync(file, "after ".repeat(20));
    appendFileSync(file, "after\n");
    await seen("after\n");
    appendFileSync(file, "last words\n");
    isEnded = true;
    await following;
    expect(text).toBe(`begin\nbefore\n${"after ".repeat(21).trimEnd()}\nlast words\n`);
  });

  test("goes on where its writer moved the file away, and loses nothing [DR5]", async () => {
    let isEnded = false;
    let text = "";
    const of = { files: [file], follow: true, tailLines: 2, isEnded: () => isEnded, signal: quiet };
    turnOver("old\n");
    turnOver("begin\n");
    const following = (async () => {
      for await (const part of readLog(of)) text += part.toString();
    })();
    await eventually("begin", () => text === "old\nbegin\n");
    // The line goes on in the next file, which is longer than what was read of the one before it.
    appendFileSync(file, "before, and a li");
    turnOver(`ne ${"that goes on ".repeat(9)}\n`);
    await eventually("the line", () => text.endsWith("goes on \n"));
    expect(text).toBe(`old\nbegin\nbefore, and a line ${"that goes on ".repeat(9)}\n`);
    appendFileSync(file, "and the last\n");
    isEnded = true;
    await following;
    expect(text).toContain("goes on \nand the last\n");
  });

  test("makes no line of both sides of what it missed [DR5]", async () => {
    let isEnded = false;
    let text = "";
    const of = { files: [file], follow: true, tailLines: 1, isEnded: () => isEnded, signal: quiet };
    turnOver("half of ");
    const following = (async () => {
      for await (const part of readLog(of)) text += part.toString();
    })();
    await eventually("the half", () => text === "half of ");
    // In one turn of the loop: the reader sees nothing of the second file, and the first one's end only if it has it open.
    appendFileSync(file, "a line\n");
    turnOver("missed\nanother h");
    turnOver("alf\nthe next\nand ");
    turnOver("the last\n");
    await eventually("the last", () => text.endsWith("last\n"));
    isEnded = true;
    await following;
    expect(text).toMatch(/^half of (?:a line)?\nthe next\nand the last\n$/);
  });

  test("begins anew when the file was emptied and nothing is left of it", async () => {
    const ending = new AbortController();
    let text = "";
    const of = {
      files: [file],
      follow: true,
      tailLines: undefined,
      isEnded: () => false,
      signal: ending.signal,
    };
    writeFileSync(file, "first\n");
    const following = (async () => {
      for await (const part of readLog(of)) text += part.toString();
    })();
    await eventually("first", () => text === "first\n");
    truncateSync(file);
    writeFileSync(join(folder, "next"), "2\n");
    renameSync(join(folder, "next"), file);
    await eventually("second", () => text !== "first\n");
    expect(text).toBe("first\n2\n");
    ending.abort();
    await following;
  });
});
