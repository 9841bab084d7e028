import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { recordOf } from "../../src/agent/process/order-process.ts";
import { ProcessFolders } from "../../src/agent/process/process-folders.ts";
import { startTicksOf } from "../../src/shell/process-identity.ts";
import { anOrder, DriverHarness, eventually, isAlive, sh } from "./a-driver.ts";
import { killedAgent } from "./killed-agent.ts";

let harness: DriverHarness;
afterEach(() => harness.end());

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
    harness = new DriverHarness({ folder });
    const adopted = harness.again();
    expect(adopted).toMatchObject([
      { replica, incarnation: 1, permittedAt: 42, leashed: true, address: { host: "127.0.0.1" } },
    ]);
    harness.driver.probe(order);
    expect(await harness.heard("probed")).toMatchObject({ ready: true });
    harness.driver.stop(order);
    expect(await harness.heard("exited")).toMatchObject({ code: 143 });
  });

  test("adopts a process of protocol 1, whose record calls the incarnation a life", async () => {
    const order = anOrder({ incarnation: 3, permittedAt: 42 });
    const folder = await killedAgent({ leashMs: LONG_LEASH_MS, start: [order] });
    const file = join(processFolder(folder), "record.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace('"incarnation":3', '"life":3'));
    expect(readFileSync(file, "utf8")).not.toContain("incarnation");
    const pid = Number(readFileSync(join(processFolder(folder), "running"), "utf8").split(" ")[0]);
    harness = new DriverHarness({ folder });
    expect(harness.again()).toMatchObject([{ replica, incarnation: 3, permittedAt: 42 }]);
    expect(isAlive(pid)).toBe(true);
    harness.driver.stop(order);
    expect(await harness.heard("exited")).toMatchObject({ incarnation: 3, code: 143 });
  });

  test("learns the exit code of a process that ends later", async () => {
    const script = "while ! test -e end; do sleep 0.05; done; exit 9";
    const start = [anOrder({ command: sh(script) })];
    const folder = await killedAgent({ leashMs: LONG_LEASH_MS, start });
    harness = new DriverHarness({ folder });
    harness.again();
    harness.driver.leash(harness.clock.nowMs() + LONG_LEASH_MS);
    writeFileSync(join(processFolder(folder), "work", "end"), "");
    const exited = await harness.heard("exited");
    expect(exited).toMatchObject({ code: 9 });
    expect(exited).not.toHaveProperty("onRequest");
  });

  test("learns the exit code of a process that ended meanwhile, once it may be told", async () => {
    const start = [anOrder({ command: sh("sleep 0.5; exit 0") })];
    const folder = await killedAgent({ leashMs: LONG_LEASH_MS, start });
    await eventually("the end", () => existsSync(join(processFolder(folder), "exit")));
    harness = new DriverHarness({ folder });
    expect(harness.again()).toMatchObject([{ replica, incarnation: 1 }]);
    // Without a lease the agent would take the end for the leash's work.
    expect(harness.events).toEqual([]);
    harness.driver.leash(harness.clock.nowMs() + LONG_LEASH_MS);
    expect(await harness.heard("exited")).toMatchObject({ code: 0 });
  });

  test("hears that a process was asked to stop by the agent before it, lease or no lease [AG8]", async () => {
    harness = new DriverHarness().begun();
    await harness.run(anOrder({ command: sh('trap "exit 3" TERM; : > began; sleep 600 & wait') }));
    await wrote(processFolder(harness.folder), "began");
    harness.driver.close();
    await harness.driver.stopAll();
    expect(harness.again()).toMatchObject([{ replica, uid: "u-1", incarnation: 1 }]);
    expect(await harness.heard("exited")).toMatchObject({ code: 3, onRequest: true });
  });

  test("hears of an order that never began without a failure [AG8]", async () => {
    harness = new DriverHarness().begun();
    const folder = new ProcessFolders(join(harness.folder, "processes")).add(replica, 1);
    folder.writeRecord(recordOf(anOrder(), 0));
    harness.again();
    expect(await harness.heard("exited")).toMatchObject({ code: 143, onRequest: true });
  });

  test("does not adopt what was settled", async () => {
    harness = new DriverHarness().begun();
    harness.driver.start(anOrder({ command: sh("exit 0") }));
    await harness.heard("exited");
    harness.driver.forget(anOrder());
    expect(harness.again()).toEqual([]);
  });

  test("calls back an order whose shim had not begun, and it never begins", async () => {
    harness = new DriverHarness().begun();
    const folder = new ProcessFolders(join(harness.folder, "processes")).add(replica, 1);
    folder.writeRecord(recordOf(anOrder(), 0));
    expect(harness.again()).toMatchObject([{ replica, incarnation: 1 }]);
    harness.driver.stop(anOrder());
    expect(await harness.heard("exited")).toMatchObject({ code: 143 });
    const at = (name: string): string => join(harness.folder, name);
    const sizes = ["4096", "1", "4096"];
    const about = [folder.path, at("leash"), "-", ...sizes, at("launch.sh")];
    const words = [...about, "--", "touch", at("began")];
    const shim = spawn("/bin/sh", [at("shim.sh"), ...words], { stdio: "ignore" });
    expect(await once(shim, "exit")).toEqual([125, null]);
    expect(existsSync(at("began"))).toBe(false);
  });

  test("after a boot finds nothing, whatever is written down", async () => {
    harness = new DriverHarness().begun();
    await harness.run();
    harness.driver.stop(anOrder());
    await harness.heard("exited");
    harness.driver.close();
    const next = new DriverHarness({ folder: harness.folder });
    expect(next.driver.adopt({ isNewBoot: true })).toEqual([]);
    next.driver.close();
    expect(existsSync(join(harness.folder, "leash"))).toBe(false);
  });
});

describe("a process id that was used again", () => {
  test("is not taken for the process that had it", async () => {
    harness = new DriverHarness().begun();
    await harness.run();
    harness.driver.close();
    const folder = processFolder(harness.folder);
    const before = readFileSync(join(folder, "running"), "utf8");
    const stranger = spawn("sleep", ["600"]);
    const pid = stranger.pid!;
    const ticks = await eventually("the stranger", () => startTicksOf(pid));
    for (const name of ["claim", "running"]) {
      rmSync(join(folder, name));
      writeFileSync(join(folder, name), `${pid} ${ticks - 1}\n`);
    }
    harness.again();
    harness.driver.leash(harness.clock.nowMs() + LONG_LEASH_MS);
    expect(await harness.heard("exited")).toMatchObject({ code: 255 });
    harness.driver.stop(anOrder());
    expect(isAlive(pid)).toBe(true);
    stranger.kill("SIGKILL");
    process.kill(-Number(before.split(" ")[0]), "SIGKILL");
  });
});

describe("a process whose shim was killed", () => {
  test("is still known, can be stopped, and ends with a code of its own", async () => {
    harness = new DriverHarness().begun();
    await harness.run(anOrder({ command: sh(": > began; exec sleep 600") }));
    const folder = processFolder(harness.folder);
    await wrote(folder, "began");
    process.kill(Number(readFileSync(join(folder, "claim"), "utf8").split(" ")[0]), "SIGKILL");
    expect(harness.again()).toMatchObject([{ replica }]);
    harness.driver.probe(anOrder());
    expect(await harness.heard("probed")).toMatchObject({ ready: true });
    harness.driver.stop(anOrder());
    expect(await harness.heard("exited")).toMatchObject({ code: 255 });
  });
});
