import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { recordOf } from "../../src/agent/process/order-process.ts";
import { ProcessShelf } from "../../src/agent/process/process-shelf.ts";
import { startTicksOf } from "../../src/shell/process-identity.ts";
import { anOrder, DriverBench, eventually, isAlive, sh } from "./a-driver.ts";
import { killedAgent } from "./killed-agent.ts";

let bench: DriverBench;
afterEach(() => bench.end());

const LONG_LEASH_MS = 600_000;
const { replica } = anOrder();

function processFolder(folder: string): string {
  const [only] = readdirSync(join(folder, "processes"));
  return join(folder, "processes", only!);
}

/** Waits until the process has done so much that it wrote this file into its own folder. */
const wrote = (folder: string, name: string): Promise<true> =>
  eventually(`${name} to be written`, () => existsSync(join(folder, "work", name)));

describe("the agent after one that was killed", () => {
  test("finds the process, its address and what permitted it, and can stop it", async () => {
    const order = anOrder({ run: { ports: ["http"] }, permittedAt: 42 });
    const folder = await killedAgent({ leashMs: LONG_LEASH_MS, start: [order] });
    bench = new DriverBench({ folder });
    const adopted = bench.again();
    expect(adopted).toMatchObject([
      { replica, life: 1, permittedAt: 42, leashed: true, address: { host: "127.0.0.1" } },
    ]);
    bench.driver.probe(order);
    expect(await bench.heard("probed")).toMatchObject({ ready: true });
    bench.driver.stop(order);
    expect(await bench.heard("exited")).toMatchObject({ code: 143 });
  });

  test("learns the exit code of a process that ends later", async () => {
    const script = "while ! test -e end; do sleep 0.05; done; exit 9";
    const start = [anOrder({ command: sh(script) })];
    const folder = await killedAgent({ leashMs: LONG_LEASH_MS, start });
    bench = new DriverBench({ folder });
    bench.again();
    bench.driver.leash(bench.clock.nowMs() + LONG_LEASH_MS);
    writeFileSync(join(processFolder(folder), "work", "end"), "");
    const exited = await bench.heard("exited");
    expect(exited).toMatchObject({ code: 9 });
    expect(exited).not.toHaveProperty("onRequest");
  });

  test("learns the exit code of a process that ended meanwhile, once it may be told", async () => {
    const start = [anOrder({ command: sh("sleep 0.5; exit 0") })];
    const folder = await killedAgent({ leashMs: LONG_LEASH_MS, start });
    await eventually("the end", () => existsSync(join(processFolder(folder), "exit")));
    bench = new DriverBench({ folder });
    expect(bench.again()).toMatchObject([{ replica, life: 1 }]);
    // Without a lease the agent would take the end for the leash's work.
    expect(bench.events).toEqual([]);
    bench.driver.leash(bench.clock.nowMs() + LONG_LEASH_MS);
    expect(await bench.heard("exited")).toMatchObject({ code: 0 });
  });

  test("hears that a process was asked to stop by the agent before it, lease or no lease [AG8]", async () => {
    bench = new DriverBench().begun();
    await bench.run(anOrder({ command: sh('trap "exit 3" TERM; : > began; sleep 600 & wait') }));
    await wrote(processFolder(bench.folder), "began");
    bench.driver.close();
    await bench.driver.stopAll();
    expect(bench.again()).toMatchObject([{ replica, uid: "u-1", life: 1 }]);
    expect(await bench.heard("exited")).toMatchObject({ code: 3, onRequest: true });
  });

  test("hears of an order that never began that nobody is to blame [AG8]", async () => {
    bench = new DriverBench().begun();
    const folder = new ProcessShelf(join(bench.folder, "processes")).add(replica, 1);
    folder.writeRecord(recordOf(anOrder(), 0));
    bench.again();
    expect(await bench.heard("exited")).toMatchObject({ code: 143, onRequest: true });
  });

  test("does not adopt what was settled", async () => {
    bench = new DriverBench().begun();
    bench.driver.start(anOrder({ command: sh("exit 0") }));
    await bench.heard("exited");
    bench.driver.forget(anOrder());
    expect(bench.again()).toEqual([]);
  });

  test("calls back an order whose shim had not begun, and it never begins", async () => {
    bench = new DriverBench().begun();
    const folder = new ProcessShelf(join(bench.folder, "processes")).add(replica, 1);
    folder.writeRecord(recordOf(anOrder(), 0));
    expect(bench.again()).toMatchObject([{ replica, life: 1 }]);
    bench.driver.stop(anOrder());
    expect(await bench.heard("exited")).toMatchObject({ code: 143 });
    const at = (name: string): string => join(bench.folder, name);
    const sizes = ["4096", "1", "4096"];
    const about = [folder.path, at("leash"), "-", ...sizes, at("launch.sh")];
    const words = [...about, "--", "touch", at("began")];
    const shim = spawn("/bin/sh", [at("shim.sh"), ...words], { stdio: "ignore" });
    expect(await once(shim, "exit")).toEqual([125, null]);
    expect(existsSync(at("began"))).toBe(false);
  });

  test("after a boot finds nothing, whatever is written down", async () => {
    bench = new DriverBench().begun();
    await bench.run();
    bench.driver.stop(anOrder());
    await bench.heard("exited");
    bench.driver.close();
    const next = new DriverBench({ folder: bench.folder });
    expect(next.driver.adopt({ isNewBoot: true })).toEqual([]);
    next.driver.close();
    expect(existsSync(join(bench.folder, "leash"))).toBe(false);
  });
});

describe("a process id that was used again", () => {
  test("is not taken for the process that had it", async () => {
    bench = new DriverBench().begun();
    await bench.run();
    bench.driver.close();
    const folder = processFolder(bench.folder);
    const before = readFileSync(join(folder, "running"), "utf8");
    const stranger = spawn("sleep", ["600"]);
    const pid = stranger.pid!;
    const ticks = await eventually("the stranger", () => startTicksOf(pid));
    for (const name of ["claim", "running"]) {
      rmSync(join(folder, name));
      writeFileSync(join(folder, name), `${pid} ${ticks - 1}\n`);
    }
    bench.again();
    bench.driver.leash(bench.clock.nowMs() + LONG_LEASH_MS);
    expect(await bench.heard("exited")).toMatchObject({ code: 255 });
    bench.driver.stop(anOrder());
    expect(isAlive(pid)).toBe(true);
    stranger.kill("SIGKILL");
    process.kill(-Number(before.split(" ")[0]), "SIGKILL");
  });
});

describe("a process whose shim was killed", () => {
  test("is still known, can be stopped, and ends with a code of its own", async () => {
    bench = new DriverBench().begun();
    await bench.run(anOrder({ command: sh(": > began; exec sleep 600") }));
    const folder = processFolder(bench.folder);
    await wrote(folder, "began");
    process.kill(Number(readFileSync(join(folder, "claim"), "utf8").split(" ")[0]), "SIGKILL");
    expect(bench.again()).toMatchObject([{ replica }]);
    bench.driver.probe(anOrder());
    expect(await bench.heard("probed")).toMatchObject({ ready: true });
    bench.driver.stop(anOrder());
    expect(await bench.heard("exited")).toMatchObject({ code: 255 });
  });
});
