/** What a recording holds of the log that a plane begins with: the store's own copy of it. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { Plane } from "../../src/host/plane.ts";
import { readClaimCopy } from "../../src/host/recording/claim-copy.ts";
import { Recorder } from "../../src/host/recording/recorder.ts";
import type { CopyTo, LogStore } from "../../src/host/store/log-store.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { replayRecording } from "../../src/replay/replay-recording.ts";
import { History } from "../contract/a-history.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { PlaneUser } from "./a-running-plane.ts";

const scratch = scratchFolder();
let tests = 0;
let file = "";
let folder = "";
beforeEach(() => {
  tests += 1;
  file = path.join(scratch, `log-${tests}.db`);
  folder = path.join(scratch, `recording-${tests}`);
});

const SECRET = "correct horse battery staple";
const KEY = new Uint8Array(32);

/** A plane on a log in a file, which binds replicas with a secret and stops. */
async function oneIncarnation(of: {
  readonly thread: boolean;
  readonly isRecorded: boolean;
}): Promise<void> {
  const store = await SqliteLog.open(file, { thread: of.thread });
  const recorder = new Recorder({ folder, version: "test" });
  const plane = await Plane.open({ store, ...(of.isRecorded ? { recorder } : {}) });
  const user = new PlaneUser(plane);
  await user.furnish();
  await user.lease("n1", 1);
  await user.putDesired(2, { TOKEN: SECRET });
  for (const index of [0, 1]) await user.bound(index);
  await plane.close();
}

const written = (): string =>
  readdirSync(folder)
    .map((name) => readFileSync(path.join(folder, name), "utf8"))
    .join("");
const copies = (): readonly string[] =>
  readdirSync(folder).filter((name) => name.endsWith(".claim"));

describe("a recording that begins on a log with something in it", () => {
  for (const thread of [false, true]) {
    const where = thread ? "on its thread" : "without a thread";
    test(`[RC1] [RC3] has the store's copy of it, ${where}, without its secrets, and replays`, async () => {
      await oneIncarnation({ thread, isRecorded: false });
      await oneIncarnation({ thread, isRecorded: true });
      expect(copies()).toHaveLength(1);
      expect(written()).toContain("redacted:");
      expect(written()).not.toContain("horse");
      const report = replayRecording(folder);
      expect(report).toEqual({ turns: report.turns, diverged: false, firstDivergence: null });
      expect(report.turns).toBeGreaterThan(3);
    });
  }

  test("[RC1] replays from itself alone when the log is gone, and says which file is missing", async () => {
    await oneIncarnation({ thread: false, isRecorded: false });
    await oneIncarnation({ thread: false, isRecorded: true });
    rmSync(file);
    expect(replayRecording(folder).diverged).toBe(false);
    const [copy = ""] = copies();
    rmSync(path.join(folder, copy));
    expect(() => replayRecording(folder)).toThrow(`${copy} is missing`);
  });

  test("[RC1] has the contents in full when the store makes no copy", async () => {
    await oneIncarnation({ thread: false, isRecorded: false });
    const store = await SqliteLog.open(file, { thread: false });
    const without: LogStore = {
      claim: () => store.claim(),
      append: (epoch, commits) => store.append(epoch, commits),
      read: (from, limit) => store.read(from, limit),
      compact: (epoch, snapshot) => store.compact(epoch, snapshot),
      close: () => store.close(),
    };
    const recorder = new Recorder({ folder, version: "test" });
    const plane = await Plane.open({ store: without, recorder });
    await plane.close();
    expect(copies()).toHaveLength(0);
    expect(written()).not.toContain("horse");
    expect(replayRecording(folder).diverged).toBe(false);
  });

  test("[RC4] a copy that no chapter names is dropped with the next chapter", async () => {
    await oneIncarnation({ thread: false, isRecorded: true });
    const stray = `${"a".repeat(32)}.claim`;
    writeFileSync(path.join(folder, stray), "");
    await oneIncarnation({ thread: false, isRecorded: true });
    expect(copies()).not.toContain(stray);
    expect(replayRecording(folder).diverged).toBe(false);
  });
});

const copyTo = (): CopyTo => ({
  path: path.join(scratch, `copy-${tests}.claim`),
  redactionKey: KEY,
});

/** Six commits under a snapshot, and four after it that replace some of what is in there. */
async function filled(): Promise<SqliteLog> {
  const log = await SqliteLog.open(file, { thread: false });
  const { epoch } = await log.claim();
  const history = new History();
  await log.append(epoch, history.next(epoch, 6));
  await log.compact(epoch, history.snapshot());
  await log.append(epoch, history.next(epoch, 4));
  return log;
}

describe("the copy of a claim", () => {
  test("reads back as what was claimed: snapshot, commits and what they replaced", async () => {
    const log = await filled();
    const to = copyTo();
    const { snapshot, commits, copiedBytes } = await log.claim(to);
    await log.close();
    expect(readFileSync(to.path).length).toBe(copiedBytes);
    expect(readClaimCopy(to.path)).toEqual({ snapshot, commits });
    expect(snapshot?.objects.length).toBeGreaterThan(0);
    expect(commits.some(({ changes }) => changes[0]?.before !== undefined)).toBe(true);
  });

  test("does not fail the claim when it cannot be written, and leaves nothing behind", async () => {
    const log = await filled();
    const nowhere = { path: path.join(scratch, "no-such-folder", "x.claim"), redactionKey: KEY };
    const claimed = await log.claim(nowhere);
    await log.close();
    expect(claimed.copiedBytes).toBeUndefined();
    expect(claimed.commits).toHaveLength(4);
    expect(existsSync(nowhere.path)).toBe(false);
  });
});
