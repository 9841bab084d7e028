import { join } from "node:path";
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
