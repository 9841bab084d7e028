import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { scratchFolder } from "../../test/contract/scratch-folder.ts";
import { WatchedFiles } from "./watched-files.ts";

const folder = scratchFolder();
/** No timer of a test's own: it looks when it wants to. */
const NEVER_MS = 1_000_000;

let watched: WatchedFiles;
afterEach(() => watched.close());

function watching(file: string): { count: number } {
  const changes = { count: 0 };
  watched = new WatchedFiles({
    files: [file],
    onChange: () => (changes.count += 1),
    everyMs: NEVER_MS,
  });
  return changes;
}

describe("[AU2] a watched file", () => {
  test("counts as changed once two looks have found the same", () => {
    const file = join(folder, "written");
    writeFileSync(file, "a");
    const changes = watching(file);
    watched.look();
    expect(changes.count).toBe(0);
    writeFileSync(file, "");
    watched.look();
    writeFileSync(file, "half");
    watched.look();
    expect(changes.count).toBe(0);
    watched.look();
    expect(changes.count).toBe(1);
    watched.look();
    expect(changes.count).toBe(1);
  });

  test("is found changed when another is renamed into its place", () => {
    const file = join(folder, "renamed");
    writeFileSync(file, "same");
    const changes = watching(file);
    writeFileSync(`${file}.new`, "same");
    renameSync(`${file}.new`, file);
    watched.look();
    watched.look();
    expect(changes.count).toBe(1);
  });

  test("is followed through links that are swapped, as Kubernetes mounts secrets", () => {
    const [one, two] = [join(folder, "..one"), join(folder, "..two")];
    writeFileSync(one, "1");
    writeFileSync(two, "2");
    const data = join(folder, "..data");
    symlinkSync(one, data);
    const file = join(folder, "tokens");
    symlinkSync(data, file);
    const changes = watching(file);
    symlinkSync(two, `${data}.new`);
    renameSync(`${data}.new`, data);
    watched.look();
    watched.look();
    expect(changes.count).toBe(1);
  });

  test("may be gone, and come back", () => {
    const file = join(folder, "gone");
    writeFileSync(file, "a");
    const changes = watching(file);
    rmSync(file);
    watched.look();
    watched.look();
    expect(changes.count).toBe(1);
    writeFileSync(file, "b");
    watched.look();
    watched.look();
    expect(changes.count).toBe(2);
  });

  test("is read at once when that is asked for, changed or not", () => {
    const file = join(folder, "asked");
    writeFileSync(file, "a");
    const changes = watching(file);
    watched.reload();
    expect(changes.count).toBe(1);
  });
});
