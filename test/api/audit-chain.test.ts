/** The head of the log's chain and its verification, as the API tells them. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { VerifyLine } from "../../src/api/audit/verify-chain.ts";
import { type ChainHead, headText } from "../../src/host/store/chain-link.ts";
import type { LogStore } from "../../src/host/store/log-store.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { History } from "../contract/a-history.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { aStoreServed, TOKENS } from "./a-store-served.ts";

const folder = scratchFolder();
const open = aStoreServed();
const [ann, agent, controller] = TOKENS;

async function serving(store: LogStore) {
  const app = await open(store);
  return async (url: string, token: string = ann.token) => {
    const answer = await app.inject({ url, headers: { authorization: `Bearer ${token}` } });
    return { status: answer.statusCode, text: answer.body };
  };
}

async function aLongLog(file: string): Promise<SqliteLog> {
  const log = await SqliteLog.open(file, { thread: false });
  const { epoch } = await log.claim();
  const history = new History();
  for (let at = 0; at < 3; at += 1) await log.append(epoch, history.next(epoch, 700));
  return log;
}

const linesIn = (text: string): VerifyLine[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as VerifyLine);

test("[AP198] the head is told, and the log verified against it while the plane goes on, with its progress", async () => {
  const ask = await serving(await aLongLog(join(folder, "log.db")));
  const head = JSON.parse((await ask("/audit/head")).text) as ChainHead & { head: string };
  expect(head.head).toBe(headText(head));
  // One came from the plane that began to lead.
  expect(head.revision).toBe(2_101);
  const [progress, result, ...rest] = linesIn((await ask(`/audit/verify?head=${head.head}`)).text);
  expect(progress).toEqual({ type: "progress", revision: 1_400, end: 2_101 });
  expect(result).toMatchObject({
    type: "result",
    isGood: true,
    from: 1,
    to: 2_101,
    batches: 4,
    gaps: [],
    head: { revision: 2_101, hash: head.hash },
    kept: { outcome: "fits" },
  });
  expect(rest).toEqual([]);
  const forged = `700:${"a".repeat(64)}`;
  const wrong = linesIn((await ask(`/audit/verify?head=${forged}`)).text).at(-1);
  expect(wrong).toMatchObject({ isGood: false, says: expect.stringContaining("does not match") });
  const late = linesIn((await ask(`/audit/verify?head=9000:${head.hash}`)).text).at(-1);
  expect(late).toMatchObject({ isGood: false, says: expect.stringContaining("ends at revision") });
});

test("[AP199] only people verify, one at a time; what cannot be understood is 400, and so is a plane without a chain", async () => {
  const ask = await serving(await SqliteLog.open(join(folder, "small.db"), { thread: false }));
  expect((await ask("/audit/verify", agent.token)).status).toBe(403);
  expect((await ask("/audit/verify", controller.token)).status).toBe(403);
  expect((await ask("/audit/head", controller.token)).status).toBe(200);
  expect((await ask("/audit/head", agent.token)).status).toBe(403);
  for (const head of ["7", "7:abc", `x:${"0".repeat(64)}`]) {
    expect((await ask(`/audit/verify?head=${head}`)).status).toBe(400);
  }
  const both = await Promise.all([ask("/audit/verify"), ask("/audit/verify")]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429]);
  expect((await ask("/audit/verify")).status).toBe(200);
  const forgetful = await serving(new MemoryLog());
  for (const path of ["/audit/head", "/audit/verify"]) {
    expect(await forgetful(path)).toMatchObject({
      status: 400,
      text: expect.stringContaining("in memory: there is no chain"),
    });
  }
});
