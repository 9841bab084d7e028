import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { BackupKept } from "../../src/host/backup/backup-kept.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import type { LogStore } from "../../src/host/store/log-store.ts";
import { writeFileSync } from "node:fs";
import { gather } from "../backup/a-stored-log.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { aStoreServed, TOKENS } from "./a-store-served.ts";

const folder = scratchFolder();
const open = aStoreServed();

async function serving(store: LogStore) {
  const app = await open(store);
  return (token?: string) =>
    app.inject({
      url: "/backup",
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
}

test("[AP125] a user is sent the bytes of a backup; agents, controllers and strangers are not [BK7]", async () => {
  const ask = await serving(await SqliteLog.open(join(folder, "log.db"), { thread: false }));
  const [user, agent, controller] = TOKENS;
  for (const [token, status] of [
    [undefined, 401],
    [agent.token, 403],
    [controller.token, 403],
  ] as const) {
    expect((await ask(token)).statusCode).toBe(status);
  }
  const answer = await ask(user.token);
  expect(answer).toMatchObject({ statusCode: 200, headers: { "cache-control": "no-store" } });
  const file = join(folder, "backup");
  writeFileSync(file, answer.rawPayload);
  expect(await gather(new BackupKept(file).parts())).toMatchObject([
    { kind: "log", log: { epoch: 1, oldest: 0, end: 1 } },
    { kind: "batch" },
  ]);
});

test("[AP125] a plane that keeps nothing says so [BK7]", async () => {
  const ask = await serving(new MemoryLog());
  const { statusCode, body } = await ask(TOKENS[0].token);
  expect([statusCode, body]).toEqual([400, expect.stringContaining("nothing to back up")]);
});

test("[AP125] backups beyond those that are being sent are 429, until they are done or their readers are gone", async () => {
  const app = await open(await SqliteLog.open(join(folder, "several.db"), { thread: false }));
  const url = `${await app.listen({ host: "127.0.0.1", port: 0 })}/backup`;
  const headers = { authorization: `Bearer ${TOKENS[0].token}` };
  const ask = () => app.inject({ url: "/backup", headers });
  /** Only bounds a hang: a turn that is never given back would be one. */
  const untilFree = async () => {
    for (const endMs = Date.now() + 120_000; (await ask()).statusCode !== 200; await sleep(20))
      if (Date.now() > endMs) throw new Error("No turn was given back.");
  };

  const answers = await Promise.all(Array.from({ length: 8 }, ask));
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers["retry-after"]).toBe("5");
  await untilFree();

  for (let reader = 0; reader < 8; reader += 1) {
    const gone = new AbortController();
    const answer = await fetch(url, { headers, signal: gone.signal });
    expect([200, 429]).toContain(answer.status);
    gone.abort();
  }
  await untilFree();
});
