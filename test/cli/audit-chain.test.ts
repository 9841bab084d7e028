/** `berth audit` as the one who vouches: heads, verification, exports and what is found in those that were changed. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PlaneCredentials } from "../../src/serve/plane-credentials.ts";
import { serveApi, type ServedApi } from "../../src/serve/serve-api.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import { loadSqlite } from "../../src/host/store/sqlite-database.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { FURNITURE, type Ran, runCommand } from "./a-served-plane.ts";

const folder = scratchFolder();
const silent = { info: () => {}, warn: () => {}, error: () => {} };
let api: ServedApi;
let plane: Plane;
beforeAll(async () => {
  const store = await SqliteLog.open(join(folder, "log.db"));
  plane = await Plane.open({ store, clock: createHostClock() });
  const address = { host: "127.0.0.1", port: 0 };
  const clock = createHostClock();
  api = await serveApi({
    plane,
    clock,
    log: silent,
    address,
    credentials: new PlaneCredentials({}),
  });
  writeFileSync(join(folder, "furniture.yaml"), FURNITURE);
  const { code, err } = await berth("apply", "-f", join(folder, "furniture.yaml"));
  if (code !== 0) throw new Error(err);
});
let isStopped = false;
async function stop(): Promise<void> {
  if (isStopped) return;
  isStopped = true;
  await api.close();
  await plane.close();
}
afterAll(stop);

const berth = (...args: string[]): Promise<Ran> => runCommand([...args, "--server", api.url]);

const joined = (some: readonly string[]): string => `${some.join("\n")}\n`;

describe("berth audit", () => {
  it("exports every entry, and finds whatever was changed in the file [AP198]", async () => {
    const file = join(folder, "export.jsonl");
    const { code, err } = await berth("audit", "--export", file);
    expect(code).toBe(0);
    const kept = /--head HEAD: (\d+:[0-9a-f]{64})\n/.exec(err)?.[1] ?? "";
    const text = readFileSync(file, "utf8");
    const lines = text.trimEnd().split("\n");
    const values = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const revisions = values.slice(0, -1).map(({ revision }) => Number(revision));
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    expect(revisions[0]).toBe(1);
    expect(values.at(-1)).toMatchObject({ type: "end", count: lines.length - 1 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const verified = (content: string, ...head: string[]): Promise<Ran> => {
      const copy = join(folder, "copy.jsonl");
      writeFileSync(copy, content);
      return runCommand(["audit", "--verify-file", copy, ...head]);
    };
    expect(await verified(text, "--head", kept)).toMatchObject({
      code: 0,
      out: expect.stringContaining("The file is unchanged since the export."),
    });
    expect(await verified(text)).toMatchObject({ code: 0, out: expect.stringContaining(kept) });
    const damages: readonly (readonly [string, RegExp])[] = [
      [text.replace("created tenant shop", "created tenant chop"), /^Hash mismatch in line \d+:/],
      [joined(lines.toSpliced(2, 1)), /^Hash mismatch in line 3:/],
      [joined([lines[1]!, lines[0]!, ...lines.slice(2)]), /^Hash mismatch in line 1:/],
      [joined(lines.slice(0, -1)), /is truncated/],
      [joined([...lines, lines[0]!]), /follows the end marker/],
      ["{}\n", /^Line 1 has no hash/],
    ];
    for (const [content, found] of damages) {
      expect(content).not.toBe(text);
      expect(await verified(content)).toMatchObject({
        code: 1,
        out: expect.stringMatching(found),
      });
    }
    // The log's own head is another thing, and says nothing about the file.
    const log = (await berth("audit", "--head")).out.trim();
    expect(await verified(text, "--head", log)).toMatchObject({
      code: 1,
      out: expect.stringContaining("that of the log"),
    });
    expect(await verified(text, "--head", `3:${"0".repeat(64)}`)).toMatchObject({ code: 1 });
  });

  it("prints the head, and verifies through the plane, in a store that is stopped, and in one that was changed [AP198] [LG19]", async () => {
    const kept = (await berth("audit", "--head")).out.trim();
    expect(kept).toMatch(/^\d+:[0-9a-f]{64}$/);
    const fits = expect.stringMatching(
      /^Verified from revision 1 to \d+ .*It matches the saved head/,
    );
    const verify = ["audit", "--verify", "--head", kept];
    expect(await berth(...verify)).toMatchObject({ code: 0, out: fits });
    await stop();
    const offline = [...verify, "--store", "sqlite", "--data", folder];
    expect(await runCommand(offline)).toMatchObject({ code: 0, out: fits });
    const head = ["audit", "--head", "--store", "sqlite", "--data", folder];
    expect((await runCommand(head)).out).toMatch(/^\d+:[0-9a-f]{64}\n$/);
    const db = (await loadSqlite())(join(folder, "log.db"), { timeout: 0 });
    db.exec("UPDATE log SET body = CAST(replace(CAST(body AS TEXT), 'shop', 'chop') AS BLOB)");
    db.close();
    expect(await runCommand(offline)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^The chain breaks at revision \d+: the checksum/),
    });
  });

  it("says what cannot be asked for together", async () => {
    const zero = `1:${"0".repeat(64)}`;
    for (const args of [
      ["--verify", "--export", "-"],
      ["--store", "sqlite"],
      ["--head", zero],
      ["--verify", "--head", "seven"],
    ]) {
      expect(await runCommand(["audit", ...args])).toMatchObject({
        code: 2,
        err: expect.stringContaining("[bad-usage]"),
      });
    }
  });
});
