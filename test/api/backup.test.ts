import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createApiServer } from "../../src/api/server/create-api-server.ts";
import { BackupKept } from "../../src/host/backup/backup-kept.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import type { LogStore } from "../../src/host/store/log-store.ts";
import { writeFileSync } from "node:fs";
import { gather } from "../backup/a-stored-log.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";

const folder = scratchFolder();
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const auth = {
  tokens: [
    { kind: "user", name: "ann", token: "0123456789abcdef" },
    { kind: "agent", name: "n1", token: "fedcba9876543210" },
    { kind: "controller", name: "scaler", token: "00112233445566778899" },
  ],
} as const;

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

async function serving(store: LogStore) {
  const clock = createHostClock();
  const plane = await Plane.open({ store, clock, createControllers: () => [] });
  const app = createApiServer({ plane, clock, log: silent, auth });
  closings.push(
    () => plane.close(),
    () => app.close(),
  );
  return (token?: string) =>
    app.inject({
      url: "/backup",
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
}

test("[AP125] a user is sent the bytes of a backup; agents, controllers and strangers are not [BK7]", async () => {
  const ask = await serving(await SqliteLog.open(join(folder, "log.db"), { thread: false }));
  const [user, agent, controller] = auth.tokens;
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
  const { statusCode, body } = await ask(auth.tokens[0].token);
  expect([statusCode, body]).toEqual([400, expect.stringContaining("nothing to back up")]);
});
