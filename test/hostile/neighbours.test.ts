/**
 * Replicas that try to hurt what runs beside them. The victim is probed all the time and stays
 * ready; the replica that did it ends with the reason.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AGENT_LIMITS } from "../../src/agent/agent-limits.ts";
import { findProcessLogs } from "../../src/agent/logs/process-logs.ts";
import { ProcessFolders } from "../../src/agent/process/process-folders.ts";
import type { ObjectKey } from "../../src/core/model/ids.ts";
import { anOrder, eventually, isAlive, type OrderParts, sh } from "../agent/a-driver.ts";
import { DriverOnTrial } from "../agent/drivers/driver-contract.ts";
import { isRoot } from "../agent/drivers/drivers-of.ts";

const SECRET = "a-word-of-the-victim";
const VICTIM = anOrder({
  index: 1,
  command: sh(`echo ${SECRET} > secret; echo up; while :; do sleep 1; done`),
  run: { env: { SECRET } },
  memoryMiB: 64,
  probe: { action: { kind: "exec", command: ["grep", "-q", SECRET, "secret"] }, timeoutMs: 60_000 },
});

const trial = new DriverOnTrial({ driver: "sandbox" });
beforeEach(async () => {
  if (!isRoot) return;
  await trial.begin();
  await trial.harness.run(VICTIM);
  const { stdout } = findProcessLogs(trial.harness.folder, VICTIM.replica)[0]!;
  await eventually("the victim to be up", () => existsSync(stdout) && statSync(stdout).size > 0);
});
afterEach(() => (isRoot ? trial.harness.end() : undefined));

/** Runs the attack to its end, and probes the victim meanwhile, one probe after the other. */
async function beside(
  script: string,
  memoryMiB = 128,
  more: OrderParts = {},
): Promise<{ code: number; reason?: string }> {
  const { harness } = trial;
  const probes: boolean[] = [];
  const ended: ObjectKey[] = [];
  const probe = setInterval(() => harness.driver.probe(VICTIM), 100);
  try {
    const end = await trial.ended(script, { ...more, memoryMiB });
    harness.driver.probe(VICTIM);
    await eventually("a probe after the attack", () => {
      for (const event of harness.events.splice(0)) {
        if (event.kind === "probed") probes.push(event.ready);
        if (event.kind === "exited") ended.push(event.replica);
      }
      return probes.length > 0;
    });
    expect(probes).not.toContain(false);
    expect(ended).not.toContain(VICTIM.replica);
    return end;
  } finally {
    clearInterval(probe);
  }
}

describe.runIf(isRoot)("beside a hostile replica the victim stays ready [DR14]", () => {
  test("a fork bomb ends by its own limit, and says so", async () => {
    const { code, reason } = await beside("f() { f | f; }; f; exit 3");
    expect(code).not.toBe(0);
    expect(reason).toMatch(/^(its processes reached their limit of 1024|OOM killed: )/);
  });

  test("a memory hog is killed by its own limit, and says so", async () => {
    const { code, reason } = await beside("x=xxxxxxxx; while :; do x=$x$x; done", 64);
    expect(code).toBe(137);
    expect(reason).toBe("OOM killed: it used more than its memory limit of 64Mi");
  });

  test("a filler of its directories fills its own memory, and is killed by its limit", async () => {
    const places = ["/tmp", "/dev/shm", "/work"];
    const script = places.map((path) => `cat /dev/zero > ${path}/fill`).join("; ");
    const { code, reason } = await beside(`${script}; exit 5`, 64);
    expect(code).toBe(137);
    expect(reason).toBe("OOM killed: it used more than its memory limit of 64Mi");
  });

  test("a filler of its disk meets the end of it, and says so [DR19]", async () => {
    const script = "for file in a b c; do cat /dev/zero > $file; done; exit 5";
    const { code, reason } = await beside(script, 64, { disk: "16Mi" });
    expect({ code, reason }).toEqual({ code: 5, reason: "its disk of 16Mi is full" });
  });

  test("a maker of files uses up those of its own disk [DR19]", async () => {
    const script = "n=0; while (: > f$n); do n=$((n + 1)); done 2> /dev/null; echo $n; exit 5";
    const { code, reason } = await beside(script, 64, { disk: "4Mi" });
    expect({ code, reason }).toEqual({ code: 5, reason: "its disk of 4Mi is full" });
  });

  test("a flood of output is held by its log files", async () => {
    const { code } = await beside("head -c 150000000 /dev/zero | tr '\\0' x");
    expect(code).toBe(0);
    const { folder } = trial.logs;
    const sizes = readdirSync(folder.path)
      .filter((name) => name.startsWith("stdout.log"))
      .map((name) => statSync(folder.file(name)).size);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThanOrEqual(3 * AGENT_LIMITS.logBytes.value);
  });

  test("a sender of signals meets only its own processes", async () => {
    const shim = Number(
      readFileSync(trial.logsOf(VICTIM.replica).folder.file("claim"), "utf8").split(" ")[0],
    );
    const script = `kill -9 ${process.pid} ${shim} 1; kill -TERM -1; trap '' TERM; kill -TERM -1; exit 4`;
    await beside(`${script} 2> /dev/null`);
    expect(isAlive(shim)).toBe(true);
  });

  test("a reader of everything finds its own words and none of the victim", async () => {
    const places =
      "/proc/[0-9]*/environ /proc/[0-9]*/cmdline /work/* /tmp/* /run/berth/* /dev/shm/*";
    await beside(`cat ${places} 2> /dev/null | tr '\\0' ' '; exit 0`);
    expect(trial.output).toContain("BERTH_REPLICA=payments/api.1.0");
    expect(trial.output).not.toContain(SECRET);
  });
});

describe.runIf(isRoot)("names and links of a replica lead nowhere [DR9] [DR14]", () => {
  test("links in its own directory are removed as links", async () => {
    const kept = join(trial.harness.folder, "kept");
    mkdirSync(kept, { mode: 0o777 });
    writeFileSync(join(kept, "file"), "stays");
    await beside(`ln -s ${kept} /work/link; ln -s ${kept}/file /tmp/stdout.log; exit 0`);
    trial.harness.driver.forget(trial.order());
    expect(readFileSync(join(kept, "file"), "utf8")).toBe("stays");
  });

  test("its logs are where it cannot reach, so no link can stand in their place", async () => {
    const { path } = trial.logsOf(VICTIM.replica).folder;
    await beside(
      `ls ${path} ${dirname(path)} 2> /dev/null; ln -sf /etc/passwd ${path}/stdout.log 2> /dev/null; echo end`,
    );
    expect(trial.output).toBe("end\n");
    expect(readFileSync(trial.logsOf(VICTIM.replica).stdout, "utf8")).toBe("up\n");
  });

  test("a replica named like a path stays in its agent's folder", () => {
    const root = join(trial.harness.folder, "other");
    const folders = new ProcessFolders(root);
    for (const name of ["../../etc", "..", "a/../../b", "%2e%2e"]) {
      const { path } = folders.add(`Replica/payments/${name}` as ObjectKey, 1);
      expect(dirname(path)).toBe(root);
    }
  });
});
