import { afterEach, beforeEach, expect, test } from "vitest";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AGENT_LIMITS } from "../../src/agent/agent-limits.ts";
import { ReplicaFiles } from "../../src/agent/replica-files.ts";
import { anOrder, DriverHarness, sh } from "./a-driver.ts";

let folder: string;
let files: ReplicaFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-files-"));
  files = new ReplicaFiles(folder);
});
afterEach(() => {
  files.sweep(new Set());
  rmSync(folder, { recursive: true });
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const TMPFS = 0x01021994;

test("private files are in memory, for their owner alone, and go with their process [DR8]", () => {
  const owner = { uid: 1_900_000_001, gid: 1_900_000_001 };
  files.write("payments+api-1+1+aa", new Map([["token", bytes("t1")]]), owner);
  const at = files.pathOf("payments+api-1+1+aa");
  expect(statfsSync(at).type).toBe(TMPFS);
  const file = statSync(join(at, "token"));
  expect([file.uid, file.gid, file.mode & 0o777]).toEqual([owner.uid, owner.gid, 0o400]);
  // The replica reads its folder, and makes no name in it.
  const place = statSync(at);
  expect([place.uid, place.gid, place.mode & 0o777]).toEqual([
    process.getuid?.(),
    owner.gid,
    0o750,
  ]);
  files.remove("payments+api-1+1+aa");
  expect(existsSync(at)).toBe(false);
});

test("another set of files replaces the one before", () => {
  files.write("p", new Map([["old", bytes("1")]]));
  files.write("p", new Map([["new", bytes("2")]]));
  expect(existsSync(join(files.pathOf("p"), "old"))).toBe(false);
  expect(readFileSync(join(files.pathOf("p"), "new"), "utf8")).toBe("2");
});

test("files that a killed agent left go, those of processes that run stay", () => {
  for (const name of ["stays", "goes"]) files.write(name, new Map([["token", bytes("x")]]));
  files.sweep(new Set(["stays"]));
  expect(existsSync(files.pathOf("stays"))).toBe(true);
  expect(existsSync(files.pathOf("goes"))).toBe(false);
});

test.each(["../token", "a/b", ".hidden", "", "a\u0000b"])(
  "a file named %j is rejected: it could be a path [DR9]",
  (name) => {
    expect(() => files.write("p", new Map([[name, bytes("x")]]))).toThrow(/cannot be named/);
  },
);

test("a name of a process with a path in it stays below the agent's place [DR9]", () => {
  expect(files.pathOf("../../etc")).toMatch(/\/berth-files-[0-9a-f]{16}\/[0-9a-f]{16}$/);
});

test("number and size of a replica's files have bounds", () => {
  const many = Array.from({ length: AGENT_LIMITS.filesPerReplica.value + 1 }, (_, at) => `f${at}`);
  expect(() => files.write("p", new Map(many.map((name) => [name, bytes("")])))).toThrow(
    /at most 256 private files/,
  );
  const large = new Uint8Array(AGENT_LIMITS.fileBytesPerReplica.value + 1);
  expect(() => files.write("p", new Map([["large", large]]))).toThrow(/at most 1048576 bytes/);
});

test("a replica finds its private files by BERTH_FILES, and they are gone at its end [DR8]", async () => {
  const harness = new DriverHarness({
    filesOf: () => Promise.resolve(new Map([["token", bytes("secret")]])),
  }).begun();
  try {
    harness.driver.start(anOrder({ command: sh('grep -q secret "$BERTH_FILES/token"') }));
    expect((await harness.heard("exited")).code).toBe(0);
    harness.driver.forget(anOrder());
    const place = new ReplicaFiles(harness.folder).pathOf("x");
    expect(readdirSync(join(place, ".."))).toEqual([]);
  } finally {
    await harness.end();
  }
});
