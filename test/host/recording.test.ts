import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import type { Epoch } from "../../src/core/model/ids.ts";
import { Plane } from "../../src/host/plane.ts";
import { Recorder, type RecorderOptions } from "../../src/host/recording/recorder.ts";
import type { AppendResult } from "../../src/host/store/log-store.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { replayRecording } from "../../src/replay/replay-recording.ts";
import { PlaneUser, until } from "./a-running-plane.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "berth-recording-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = "correct horse battery staple";

/** A plane that admits, queues and binds three replicas, then sees one of its nodes fall silent. */
async function recordedRun(
  options: Omit<RecorderOptions, "folder" | "version"> = {},
): Promise<void> {
  const recorder = new Recorder({ folder, version: "test", ...options });
  const plane = await Plane.open({ store: new MemoryLog(), recorder });
  const user = new PlaneUser(plane);
  await user.furnish();
  await user.lease("n1", 1);
  await user.lease("n2", 1);
  await user.putDesired(3, { TOKEN: SECRET });
  for (const index of [0, 1, 2]) await user.bound(index);
  await user.putDesired(3, { TOKEN: `${SECRET}!` });
  await until("the new generation", () =>
    plane.objects.all("Replica").size > 3 ? true : undefined,
  );
  await plane.close();
}

const linesOf = (chapter: string): string[] =>
  readFileSync(path.join(folder, chapter), "utf8").trimEnd().split("\n");
const chapters = (): string[] => readdirSync(folder).filter((name) => name.startsWith("chapter-"));

test("[RC1] a recorded run replays turn for turn without divergence", async () => {
  await recordedRun();
  const report = replayRecording(folder);
  expect(report).toEqual({ turns: report.turns, diverged: false, firstDivergence: null });
  expect(report.turns).toBeGreaterThan(30);
});

test("[RC2] a turn that did something else than now is named as the first divergence", async () => {
  await recordedRun();
  const [chapter = ""] = chapters();
  const lines = linesOf(chapter);
  const at = lines.findIndex(
    (line) => line.startsWith('["controllers"') && line.includes('"watch"'),
  );
  expect(at).toBeGreaterThan(0);
  lines[at] = (lines[at] ?? "").replace(/,\[[^[]*\]\]$/, ',[{"kind":"timer","atMs":7}]]');
  writeFileSync(path.join(folder, chapter), `${lines.join("\n")}\n`);
  const { diverged, firstDivergence } = replayRecording(folder);
  expect(diverged).toBe(true);
  expect(firstDivergence).toMatchObject({
    turn: at,
    component: "controllers",
    input: "watch",
    expected: "timer",
  });
  const first = firstDivergence?.effects[0]?.fields ?? [];
  expect(first).toContainEqual(expect.objectContaining({ field: "atMs", expected: "7" }));
});

test("[RC3] secrets in workload environments are not written, and replay still matches", async () => {
  await recordedRun();
  const written = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), "utf8"));
  expect(written.join("")).toContain("redacted:");
  expect(written.join("")).not.toContain("horse");
  expect(replayRecording(folder).diverged).toBe(false);
});

test("[RC4] chapters are bounded, each replays by itself, and the oldest are dropped", async () => {
  await recordedRun({ chapterBytes: 4_000 });
  const all = chapters();
  expect(all.length).toBeGreaterThan(1);
  expect(replayRecording(folder).diverged).toBe(false);
  for (const gone of all.slice(0, -1)) rmSync(path.join(folder, gone));
  const last = replayRecording(folder);
  expect(last.diverged).toBe(false);
  expect(last.turns).toBeGreaterThan(0);
});

test("[RC3] [RC4] a large state is written beside everything else, without its secrets, and replays", async () => {
  await recordedRun({ chapterBytes: 4_000, writtenAtOnce: 0 });
  const copies = readdirSync(folder).filter((name) => name.endsWith(".claim"));
  expect(copies.length).toBeGreaterThan(0);
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  for (const copy of copies) {
    expect(readFileSync(path.join(folder, copy), "utf8")).not.toContain(SECRET);
  }
  expect(replayRecording(folder)).toMatchObject({ diverged: false });
});

test("[RC4] a plane whose state is larger than a chapter goes on, and its chapters replay", async () => {
  await recordedRun({ chapterBytes: 500 });
  const all = chapters();
  expect(all.length).toBeGreaterThan(1);
  expect(all.length).toBeLessThan(50);
  expect(replayRecording(folder).diverged).toBe(false);
});

test("[RC4] a recording keeps to its size, and every chapter it keeps has its state", async () => {
  const totalBytes = 30_000;
  for (let incarnation = 0; incarnation < 6; incarnation += 1) {
    await recordedRun({ chapterBytes: 8_000, totalBytes });
  }
  const kept = readdirSync(folder).map((name) => statSync(path.join(folder, name)).size);
  const largest = Math.max(...kept);
  expect(kept.reduce((sum, size) => sum + size, 0)).toBeLessThan(totalBytes + 2 * largest);
  expect(chapters()).not.toContain("chapter-000001.jsonl");
  expect(replayRecording(folder).diverged).toBe(false);
});

test("[RC5] what led to a commit is in the file before the store is given the commit", async () => {
  const missing: string[] = [];
  class WatchedLog extends MemoryLog {
    override append(epoch: Epoch, commits: readonly Commit[]): Promise<AppendResult> {
      const written = chapters().flatMap(linesOf).join("\n");
      for (const { operation, command } of commits) {
        // The first commit of a leadership comes of the claim itself.
        if (command !== "lead" && !written.includes(operation)) missing.push(operation);
      }
      return super.append(epoch, commits);
    }
  }
  const store = new WatchedLog();
  const plane = await Plane.open({ store, recorder: new Recorder({ folder, version: "test" }) });
  const user = new PlaneUser(plane);
  await user.furnish();
  await user.putDesired(3);
  await plane.close();
  expect(plane.revision).toBeGreaterThan(4);
  expect(missing).toEqual([]);
});

test("[LG22] a recording of the first format is read, and one of an unknown format is refused", async () => {
  await recordedRun();
  const [chapter = ""] = chapters();
  const [start = "", ...lines] = linesOf(chapter);
  const asFormat = (format: number): void => {
    const text = start.replace(/"berthRecording":\d+/, `"berthRecording":${format}`);
    writeFileSync(path.join(folder, chapter), `${[text, ...lines].join("\n")}\n`);
  };
  for (const format of [1, 2, 3, 4]) {
    asFormat(format);
    expect(replayRecording(folder).diverged).toBe(false);
  }
  asFormat(6);
  expect(() => replayRecording(folder)).toThrow(
    /chapter-000001.jsonl: it is written in format 6 by a newer version of Berth, and this version \(\S+\) reads the formats 1 to 5\. Run the version of Berth that wrote it, or a newer one\./,
  );
});

test("a recording cut off in the middle of a line replays up to there", async () => {
  await recordedRun();
  const [chapter = ""] = chapters();
  const text = readFileSync(path.join(folder, chapter), "utf8");
  writeFileSync(path.join(folder, chapter), text.slice(0, text.length - 20));
  expect(replayRecording(folder).diverged).toBe(false);
});

test("a folder without a recording is refused with a sentence", () => {
  expect(() => replayRecording(folder)).toThrow("it has no chapter-*.jsonl");
});
