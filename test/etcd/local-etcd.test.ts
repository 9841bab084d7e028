/** Members of a local etcd end with whoever started them, and a folder is gone on with. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startTicksOf } from "../../src/shell/process-identity.ts";
import { EtcdClient } from "../../src/host/etcd/etcd-client.ts";
import { findEtcd } from "../../src/host/etcd/find-etcd.ts";
import { LocalEtcd } from "../../src/host/etcd/local-etcd.ts";
import { buildWriter } from "../contract/build-writer.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { bytes, put, texts } from "./etcd-words.ts";

const folder = scratchFolder();
const isAlive = (pid: number): boolean => startTicksOf(pid) !== undefined;

test("members end with their parent also when it is killed and they are paused", async () => {
  const program = await buildWriter("etcd-keeper", "../etcd/keeper-process");
  const keeper = spawn(process.execPath, [program, join(folder, "kept")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(keeper.stdout, "data")) as [Buffer];
  const pids = line.toString("utf8").trim().split(" ").map(Number);
  expect(pids.map(isAlive)).toEqual([true]);
  process.kill(pids[0]!, "SIGSTOP");
  keeper.kill("SIGKILL");
  while (pids.some(isAlive)) await sleep(10);
});

test("a folder is gone on with, under the same addresses, by the next one and after every way to end", async () => {
  const options = { folder: join(folder, "again"), members: 1 };
  const first = await new LocalEtcd(options).start();
  const client = new EtcdClient({ endpoints: first.endpoints });
  await client.txn({ compare: [], success: [put("a", "1")] });
  const { pid } = first.member(0);
  await first.member(0).restart();
  expect(first.member(0).pid).not.toBe(pid);
  expect(texts(await client.range({ key: bytes("a") }))).toEqual(["a=1"]);
  first.member(0).pause();
  await first.stop();
  expect(first.member(0).isRunning).toBe(false);
  const second = await new LocalEtcd(options).start();
  expect(second.endpoints).toEqual(first.endpoints);
  expect(texts(await client.range({ key: bytes("a") }))).toEqual(["a=1"]);
  client.close();
  await second.kill();
});

test("a member that cannot start is named, with what it said last", async () => {
  const taken = join(folder, "taken");
  mkdirSync(taken);
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as { port: number };
  const addresses = [{ client: `127.0.0.1:${port}`, peer: "127.1.2.3:23800" }];
  writeFileSync(join(taken, "addresses.json"), JSON.stringify(addresses));
  await expect(new LocalEtcd({ folder: taken, members: 1 }).start()).rejects.toThrow(
    /has ended[\s\S]*address already in use/,
  );
  listener.close();
});

test("the program is looked for in PATH, and what to install is said where it is missing", () => {
  const other = join(folder, "bin");
  mkdirSync(other);
  expect(() => findEtcd(other)).toThrow("apt-get install etcd-server");
  writeFileSync(join(other, "etcd"), "");
  expect(() => findEtcd(other)).toThrow("Cannot find the program etcd");
  chmodSync(join(other, "etcd"), 0o755);
  expect(findEtcd(`/nowhere:${other}`)).toBe(join(other, "etcd"));
});
