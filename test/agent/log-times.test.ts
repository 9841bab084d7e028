import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasTimes } from "../../src/agent/logs/line-times.ts";
import { findProcessLogs } from "../../src/agent/logs/process-logs.ts";
import { readLog } from "../../src/agent/logs/read-log.ts";
import type { TimesWanted } from "../../src/agent/logs/timed-lines.ts";
import { anOrder, DriverHarness, eventually } from "./a-driver.ts";

let harness: DriverHarness;
beforeEach(() => {
  harness = new DriverHarness().begun();
});
afterEach(() => harness.end());

const stdout = (): string => findProcessLogs(harness.folder, anOrder().replica)[0]!.stdout;
const quiet = new AbortController().signal;

async function read(times: TimesWanted, of: { tailLines?: number } = {}): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  const tailLines = of.tailLines;
  const from = { files: [stdout()], follow: false, isEnded: () => false, signal: quiet };
  for await (const part of readLog({ ...from, tailLines, times })) parts.push(part);
  return parts;
}

const textOf = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString();

interface Line {
  readonly atNs: bigint;
  readonly text: string;
}

async function timedLines(): Promise<Line[]> {
  const lines = textOf(await read({ isShown: true })).split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => {
    const [, second, digits, text] =
      /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{9})Z (.*)$/.exec(line) ?? [];
    const atNs = BigInt(Date.parse(`${second}Z`)) * 1_000_000n + BigInt(digits ?? "none");
    return { atNs, text: text ?? "" };
  });
}

/** The file ends with this, and its writer has noted the time of it. */
const isNoted = (end: string): Promise<boolean> =>
  eventually(`the times of ${end}`, () => {
    if (!existsSync(stdout()) || !readFileSync(stdout(), "utf8").endsWith(`${end}\n`)) return false;
    const noted = readFileSync(`${stdout()}.times`, "utf8").trimEnd().split("\n").at(-1) ?? "";
    return noted.startsWith(`${statSync(stdout()).size} `);
  });

const nowNs = (): bigint => BigInt(Date.now()) * 1_000_000n;

/** What the script does after its gate was opened. */
const gated = (before: string, after: string): string =>
  `${before}; while [ ! -e "${join(harness.folder, "gate")}" ]; do sleep 0.05; done; ${after}; exec sleep 600`;
const openGate = (): void => writeFileSync(join(harness.folder, "gate"), "");

const sh = (script: string): string[] => ["/bin/sh", "-c", script];

describe("the times of log lines", () => {
  test.each([
    { title: "of single lines", before: "echo one", last: "one" },
    {
      title: "of single lines after a flood, while a portion of it is still open",
      before: 'yes "$(printf %0999d 1)" | head -n 1200; echo "the last"',
      last: "the last",
    },
  ])("[AP375] are those of the node's clock, without an agent, too: $title", async (of) => {
    const beginNs = nowNs();
    await harness.run(anOrder({ command: sh(gated(of.before, "echo late")) }));
    await isNoted(of.last);
    harness.driver.close();
    // Date cuts off what is less than a millisecond.
    const betweenNs = nowNs() + 1_000_000n;
    await eventually("the next millisecond", () => nowNs() > betweenNs);
    openGate();
    await isNoted("late");
    harness.again();
    harness.driver.leash(harness.clock.nowMs() + 600_000);
    const lines = await timedLines();
    const late = lines.pop();
    expect(late?.text).toBe("late");
    expect(late!.atNs >= betweenNs && late!.atNs <= nowNs() + 1_000_000n).toBe(true);
    expect(lines.at(-1)?.text).toBe(of.last);
    for (const { atNs } of lines) expect(atNs >= beginNs && atNs <= betweenNs).toBe(true);
    expect(textOf(await read({ isShown: false, sinceNs: betweenNs }))).toBe("late\n");
    expect(textOf(await read({ isShown: false, sinceNs: beginNs }, { tailLines: 2 }))).toBe(
      `${of.last}\nlate\n`,
    );
  });

  test("[AP377] move with their file, and are bounded with it", async () => {
    await harness.end();
    harness = new DriverHarness({ logBytes: 20_000 }).begun();
    const beginNs = nowNs();
    const script = "i=100000; while [ $i -lt 106000 ]; do i=$((i+1)); echo line $i; done";
    harness.driver.start(anOrder({ command: sh(script) }));
    await harness.heard("exited");
    expect(existsSync(`${stdout()}.1.times`)).toBe(true);
    const lines = await timedLines();
    expect(lines.length).toBeGreaterThan(300);
    const all = lines.map(({ text }) => text).join("\n");
    expect(all).toContain("line 106000");
    let beforeNs = beginNs;
    for (const { atNs } of lines) {
      expect(atNs >= beforeNs).toBe(true);
      beforeNs = atNs;
    }
    expect(beforeNs <= nowNs() + 1_000_000n).toBe(true);
  });
});

describe("a reader of times", () => {
  test("[AP376] finds none of a log that an older agent's process wrote", async () => {
    const old = join(harness.folder, "old.log");
    writeFileSync(old, "line\n");
    expect(hasTimes(old)).toBe(false);
    await harness.run(anOrder({ command: sh("exec sleep 600") }));
    expect(hasTimes(stdout())).toBe(true);
  });

  test("[AP377] takes nothing from what is damaged or about another file", async () => {
    await harness.run(anOrder({ command: sh("echo one; exec sleep 600") }));
    await isNoted("one");
    const [first] = await timedLines();
    appendFileSync(`${stdout()}.times`, "2 1\nabc\n99999999999999999999 0\n3 12");
    expect(await timedLines()).toEqual([first]);
    writeFileSync(`${stdout()}.times`, "file 1\n4 1000000000000000000\n");
    const [changed] = await timedLines();
    expect(changed?.atNs).toBe(statSync(stdout(), { bigint: true }).mtimeNs);
  });

  test("[AP375] gives parts that a plane takes, however short the lines are", async () => {
    await harness.run(
      anOrder({ command: sh("head -c 40000 /dev/zero | tr '\\0' '\\n'; exec sleep 600") }),
    );
    await eventually("all of it", () => existsSync(stdout()) && statSync(stdout()).size === 40_000);
    const parts = await read({ isShown: true });
    expect(textOf(parts)).toMatch(/^(?:\S{30} \n){40000}$/);
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(256 * 1024);
  });
});
