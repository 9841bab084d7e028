/** What a replica writes: on a disk of its own, in memory, and over the files of its image. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { bytesOf, ReplicaDisks } from "../../../src/agent/drivers/disk/replica-disks.ts";
import { eventually, type OrderParts, sh } from "../a-driver.ts";
import { killedAgent } from "../killed-agent.ts";
import { layoutOf, programsLayer } from "./an-image.ts";
import { type ContractOf, DriverOnTrial } from "./driver-contract.ts";
import { isRoot } from "./drivers-of.ts";

const images = mkdtempSync(join(tmpdir(), "berth-images-"));
afterAll(() => rmSync(images, { recursive: true }));
const image = isRoot ? layoutOf(images, "tools", [programsLayer()]) : "";
const IMAGE: ContractOf = { driver: "image", parts: { run: { image } }, images };
const DRIVERS: readonly ContractOf[] = [{ driver: "sandbox" }, IMAGE];

const fill = "while cat /dev/zero 2> /dev/null; do :; done > fill; wc -c < fill; exit 5";

describe.runIf(isRoot).each(DRIVERS)("a disk of a replica in the driver $driver", (of) => {
  const trial = new DriverOnTrial(of);
  beforeEach(() => trial.begin());
  afterEach(() => trial.harness.end());

  const disks = () => readdirSync(join(trial.harness.folder, "disks"));

  test("is its directory, for its own user, and holds more than its memory [DR19]", async () => {
    const script =
      "head -c 100000000 /dev/zero > a && wc -c < a; stat -c %a .; grep -c ' /work .*nosuid' /proc/mounts";
    expect((await trial.ended(script, { disk: "128Mi", memoryMiB: 32 })).code).toBe(0);
    expect(trial.output.trimEnd().split("\n")).toEqual(["100000000", "700", "1"]);
  });

  test("that is full ends it with the reason, and leaves nothing on its node [DR14] [DR19]", async () => {
    const order = { disk: "16Mi", memoryMiB: 64 };
    const { code, reason } = await trial.ended(fill, order);
    expect({ code, reason }).toEqual({ code: 5, reason: "its disk of 16Mi is full" });
    expect(Number(trial.output)).toBeLessThanOrEqual(bytesOf("16Mi"));
    expect(disks()).toHaveLength(1);
    trial.harness.driver.forget(trial.order(order));
    expect(disks()).toEqual([]);
  });

  test("is not blamed for the end of a replica that left room on it [DR19]", async () => {
    const { code, reason } = await trial.ended("echo a > b; exit 6", { disk: "16Mi" });
    expect({ code, reason }).toEqual({ code: 6, reason: undefined });
  });

  test("is asked to stop as any other replica is [DR10]", async () => {
    const order = trial.start({
      command: sh("trap 'echo stopping; exit 3' TERM; echo ready; while :; do sleep 0.05; done"),
      disk: "16Mi",
    });
    await trial.said("ready");
    trial.harness.driver.stop(order);
    expect(await trial.harness.heard("exited")).toMatchObject({ code: 3, onRequest: true });
  });

  test("stays with it when its agent is killed, and goes with it [DR10] [DR19]", async () => {
    const order = trial.order({
      disk: "16Mi",
      command: sh("echo kept > here; exec sleep 600"),
      probe: {
        action: { kind: "exec", command: ["grep", "-q", "kept", "/work/here"] },
        timeoutMs: 60_000,
      },
    });
    const { driver, images: sources } = of;
    const more = sources === undefined ? {} : { images: sources };
    const folder = await killedAgent({ leashMs: 600_000, start: [order], driver, ...more });
    writeFileSync(join(folder, "disks", "payments+of-a-killed-agent.disk"), "");
    await trial.after(folder);
    expect(disks()).toHaveLength(1);
    await eventually("a probe to see its file", async () => {
      trial.harness.events.length = 0;
      trial.harness.driver.probe(order);
      return (await trial.harness.heard("probed")).ready;
    });
    trial.harness.driver.stop(order);
    await trial.harness.heard("exited");
    trial.harness.driver.forget(order);
    expect(disks()).toEqual([]);
  });

  test("that its node has no room for is refused, and nothing is left of it [DR19]", async () => {
    trial.start({ disk: "9999Gi" });
    const { code, reason } = await trial.harness.heard("exited");
    expect(code).toBe(126);
    expect(reason).toMatch(
      /^This node has no disk of 9999Gi: the file system of its agent has \d+Mi to spare\.$/,
    );
    expect(disks()).toEqual([]);
  });
});

describe.runIf(isRoot)("a writable image", () => {
  const trial = new DriverOnTrial(IMAGE);
  beforeEach(() => trial.begin());
  afterEach(() => trial.harness.end());

  const change =
    "echo changed > /bin/cat && echo new > /etc/new && rm /bin/tr && mkdir /a && read -r a < /bin/cat && echo $a";
  const ended = (script: string, of: OrderParts) =>
    trial.ended(script, { ...of, run: { writable: true, ...of.run } });

  test.each([
    { title: "in memory", of: {} },
    { title: "on its disk", of: { disk: "64Mi" } },
  ])("takes the changes of its replica $title, which no other sees [DR20]", async ({ of }) => {
    expect((await ended(change, of)).code).toBe(0);
    expect(trial.output).toBe("changed\n");
    await trial.harness.end();
    await trial.begin();
    await trial.ended("cat /dev/null && tr a b < /dev/null && ls -d /etc/new /a 2> /dev/null");
    expect(trial.output).toBe("");
  });

  test("is not writable unless its template says so [DR15]", async () => {
    expect((await trial.ended("echo changed > /bin/cat", { disk: "16Mi" })).code).not.toBe(0);
  });

  test("is filled up to the bound of its disk, or of its memory [DR14] [DR20]", async () => {
    const full = "while cat /dev/zero 2> /dev/null; do :; done > /fill; exit 5";
    expect(await ended(full, { disk: "16Mi" })).toMatchObject({
      code: 5,
      reason: "its disk of 16Mi is full",
    });
    await trial.harness.end();
    await trial.begin();
    expect(await ended(full, { memoryMiB: 64 })).toMatchObject({
      code: 137,
      reason: "OOM killed: it used more than its memory limit of 64Mi",
    });
  });

  test("gives its replica no rights, and no device or user of its node [DR15] [DR20]", async () => {
    const script =
      "grep -E '^(CapEff|NoNewPrivs):' /proc/self/status | tr '\\t' ' '; stat -c '%u %a' /bin/sh; grep -c berth /proc/mounts; test -e /tmp/a || echo end";
    await ended(script, { disk: "64Mi" });
    expect(trial.output.trimEnd().split("\n").slice(0, 3)).toEqual([
      "CapEff: 0000000000000000",
      "NoNewPrivs: 1",
      "7 755",
    ]);
  });
});

describe.runIf(isRoot)("the disks of a node", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "berth-disks-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("have a bound together, and one namespace has half of it [DR19]", async () => {
    const disks = new ReplicaDisks({ folder, mostBytes: bytesOf("64Mi") });
    await disks.make("payments+api.1.0+1+a", "32Mi");
    await expect(disks.make("payments+api.1.1+1+b", "1Mi")).rejects.toThrow(
      "This node has no disk of 1Mi: its namespace has 32Mi of 32Mi, its share, already.",
    );
    await disks.make("search+api.1.0+1+a", "32Mi");
    await expect(disks.make("other+api.1.0+1+a", "1Mi")).rejects.toThrow(
      "This node has no disk of 1Mi: disks have 64Mi of 64Mi already.",
    );
    disks.remove("payments+api.1.0+1+a");
    await disks.make("other+api.1.0+1+a", "32Mi");
  });

  test("are tried once, and told of where they cannot be mounted [DR2]", async () => {
    const disks = new ReplicaDisks({ folder });
    await disks.try();
    expect(disks.lacking).toBeUndefined();
    expect(readdirSync(join(folder, "disks"))).toEqual([]);
    rmSync(join(folder, "disk"), { recursive: true });
    await disks.try();
    expect(disks.lacking).toMatch(/^it cannot mount a file as a disk: /);
    expect(existsSync(join(folder, "disks", "trial"))).toBe(false);
  });
});

describe("the size of a disk", () => {
  test("is Mi or Gi", () => {
    expect(bytesOf("2Gi")).toBe(2 ** 31);
    expect(() => bytesOf("2G")).toThrow(/no size of a disk/);
  });
});
