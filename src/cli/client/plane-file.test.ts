import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../../test/contract/scratch-folder.ts";
import { CannotRunError } from "../../shell/cannot-run-error.ts";
import { makeDataFolder } from "../../shell/private-folder.ts";
import { startTicksOf } from "../../shell/process-identity.ts";
import { clearLeftovers } from "../up/leftovers.ts";
import { findServer } from "./find-server.ts";
import { readOwnFile } from "./own-file.ts";
import { isOfOwnPlane, readNotedToken, readPlaneNote, writePlaneNote } from "./plane-file.ts";

const folder = scratchFolder();
const self = process.getuid?.() ?? 0;
const other = self + 1_000;
const URL_OF = "http://127.0.0.1:6900";
const TOKEN = "0123456789abcdef";

/** A folder with the note of this process, as a plane leaves it, and a token beside it. */
function noted(name: string): string {
  const data = join(folder, name);
  mkdirSync(data);
  const tokenFile = join(data, "admin.token");
  writeFileSync(tokenFile, `${TOKEN}\n`);
  writePlaneNote(data, { url: URL_OF, pid: process.pid, tokenFile });
  return data;
}

describe("[AU5] the note of a plane", () => {
  test("is believed by the user who left it, and by no other who finds it below their directory", () => {
    const data = noted("found");
    expect(readPlaneNote(data, self)).toMatchObject({ url: URL_OF, pid: process.pid });
    expect(readPlaneNote(data, other)).toBeUndefined();
    // Root reads the notes of all users, and is told who left one.
    expect(readPlaneNote(data, 0)).toMatchObject({ owner: self });
  });

  test("sends no token of a user other than the one who left it", () => {
    const note = readPlaneNote(noted("named"));
    expect(note).toBeDefined();
    if (note === undefined) return;
    expect(readNotedToken(note)).toBe(TOKEN);
    expect(readNotedToken({ ...note, owner: other })).toBeUndefined();
    writeFileSync(note.tokenFile ?? "", "two words\n");
    expect(readNotedToken(note)).toBeUndefined();
  });

  test("is not believed once another process has the number of its plane", () => {
    const data = noted("followed");
    expect(findServer({ data })).toMatchObject({ token: TOKEN, isOwner: true });
    const file = join(data, "plane.json");
    const ticks = startTicksOf(process.pid) ?? 0;
    const note = JSON.parse(readFileSync(file, "utf8")) as { readonly url: string; pid: number };
    expect(note).toMatchObject({ startTicks: ticks });
    expect(isOfOwnPlane({ ...note, startTicks: ticks + 1 }, [new URL(URL_OF)])).toBe(false);
    writeFileSync(file, JSON.stringify({ ...note, startTicks: ticks + 1 }));
    expect(findServer({ data }).token).toBeUndefined();
  });

  test("is a file, and no pipe that every command would wait at", async () => {
    const data = join(folder, "piped");
    mkdirSync(data);
    execFileSync("mkfifo", [join(data, "plane.json"), join(data, "up.json")]);
    expect(readPlaneNote(data)).toBeUndefined();
    expect(await clearLeftovers(data)).toBe(0);
    expect(readOwnFile(join(data, "none"))).toBeUndefined();
  });
});

test("[AU5] a data folder of another user is refused: its owner could replace the list of tokens", () => {
  const data = join(folder, "another's");
  mkdirSync(data);
  // What root has mounted is taken, so root has to give it away for this.
  if (self === 0) chownSync(data, other, other);
  expect(() => makeDataFolder(data, other + 1)).toThrow(CannotRunError);
  expect(() => makeDataFolder(data, 0)).not.toThrow();
  expect(() => makeDataFolder(data, self === 0 ? other : self)).not.toThrow();
});
