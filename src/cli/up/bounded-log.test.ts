import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BoundedLog } from "./bounded-log.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-bounded-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Writes this many lines of a hundred bytes, and then one word again and again. After every five
 * hundred it waits until its file is small again: however late a look is, no copy has more than
 * those.
 */
const writer = (lines: number): string =>
  `i=0; while [ $i -lt ${lines} ]; do
    printf '%099d\\n' $i; i=$((i+1))
    [ $((i%500)) -ne 0 ] || while [ "$(wc -c < "$1")" -gt 20000 ]; do sleep 0.01; done
  done
  while :; do printf 'still here %0500d\\n' 0; sleep 0.01; done`;

test("the log of a child that writes into it stays within two files, and goes on", async () => {
  const log = new BoundedLog(join(folder, "a", "agent.log"), { bytes: 20_000, lookMs: 5 });
  const descriptor = log.open();
  const child = spawn("/bin/sh", ["-c", writer(5_000), "writer", log.file], {
    stdio: ["ignore", descriptor, descriptor],
  });
  closeSync(descriptor);
  const older = `${log.file}.1`;
  const isDone = (): boolean => readFileSync(log.file, "utf8").startsWith("still here ");
  while (!existsSync(older) || !isDone()) await sleep(5);
  // Half a million bytes were written; a copy takes what there is at its moment, so no exact bound
  // holds.
  expect(statSync(older).size + statSync(log.file).size).toBeLessThan(250_000);
  child.kill("SIGKILL");
  await once(child, "exit");
  log.close();
});

test("a log that is small is left alone, and a closed one is looked at no more", async () => {
  const log = new BoundedLog(join(folder, "plane.log"), { bytes: 10, lookMs: 1 });
  closeSync(log.open());
  await sleep(20);
  expect(existsSync(`${log.file}.1`)).toBe(false);
  log.close();
});
