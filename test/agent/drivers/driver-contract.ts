/** What every driver must do alike, with real processes: each driver's own test runs it. */
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findProcessLogs } from "../../../src/agent/logs/process-logs.ts";
import type { ProcessRecord } from "../../../src/agent/process/process-folder.ts";
import { membersOf } from "../../../src/agent/cgroups/replica-groups.ts";
import type { PrivateFiles } from "../../../src/agent/replica-files.ts";
import type { ObjectKey } from "../../../src/core/model/ids.ts";
import type { DriverName } from "../../../src/core/model/node/driver-name.ts";
import { AGENT_LIMITS } from "../../../src/agent/agent-limits.ts";
import { anOrder, DriverHarness, eventually, isAlive, type OrderParts, sh } from "../a-driver.ts";
import { killedAgent } from "../killed-agent.ts";
import { driversOf } from "./drivers-of.ts";

const LONG_LEASH_MS = 600_000;
const { replica } = anOrder();

export interface ContractOf {
  readonly driver: DriverName;
  /** What an order of this driver has besides. */
  readonly parts?: OrderParts;
  readonly images?: string;
}

export class DriverOnTrial {
  harness!: DriverHarness;
  readonly of: ContractOf;

  constructor(of: ContractOf) {
    this.of = of;
  }

  async begin(servers: readonly URL[] = []): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "berth-agent-"));
    const drivers = await driversOf(folder, { ...this.of, servers });
    this.harness = new DriverHarness({ folder, drivers }).begun();
  }

  /** Every replica gets these private files. */
  async beginWith(files: PrivateFiles): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "berth-agent-"));
    const drivers = await driversOf(folder, this.of);
    const filesOf = () => Promise.resolve(files);
    this.harness = new DriverHarness({ folder, drivers, filesOf }).begun();
  }

  /** The agent after one that was killed. */
  async after(folder: string, guardLookMs?: number): Promise<ReturnType<DriverHarness["again"]>> {
    await this.harness.end();
    const drivers = await driversOf(folder, this.of);
    const looks = guardLookMs === undefined ? {} : { guardLookMs };
    this.harness = new DriverHarness({ folder, drivers, ...looks });
    return this.harness.again();
  }

  order(of: OrderParts = {}): ReturnType<typeof anOrder> {
    const { parts = {} } = this.of;
    return anOrder({ ...parts, ...of, run: { ...parts.run, ...of.run } });
  }

  start(of: OrderParts = {}): ReturnType<typeof anOrder> {
    const order = this.order(of);
    this.harness.driver.start(order);
    return order;
  }

  /** Runs a script to its end. */
  async ended(script: string, of: OrderParts = {}): Promise<{ code: number; reason?: string }> {
    this.start({ ...of, command: sh(script) });
    return this.harness.heard("exited");
  }

  get record(): ProcessRecord {
    return this.logs.folder.readRecord()!;
  }
  get logs(): ReturnType<typeof findProcessLogs>[number] {
    return this.logsOf(replica);
  }
  logsOf(of: ObjectKey): ReturnType<typeof findProcessLogs>[number] {
    return findProcessLogs(this.harness.folder, of)[0]!;
  }
  get output(): string {
    return readFileSync(this.logs.stdout, "utf8");
  }
  said(what: string): Promise<true> {
    return eventually(`${what} to be said`, () =>
      existsSync(this.logs.stdout)
        ? this.output.split("\n").includes(what) || undefined
        : undefined,
    );
  }
}

export function describeDriver(of: ContractOf): void {
  const trial = new DriverOnTrial(of);
  beforeEach(() => trial.begin());
  afterEach(() => trial.harness.end());

  describe(`the driver ${of.driver}, as every driver`, () => {
    test("tells that a process is alive", async () => {
      const { incarnation } = trial.start({ command: sh("exec sleep 600") });
      expect(await trial.harness.heard("alive")).toMatchObject({ incarnation });
    });

    // One that ends at once may end before the agent has seen it alive.
    test("tells the exit code of a process", async () => {
      trial.start({ command: sh("exit 7") });
      expect(await trial.harness.heard("exited")).toMatchObject({ code: 7 });
    });

    test("keeps both streams of its output, whole", async () => {
      expect((await trial.ended("echo out; echo err >&2")).code).toBe(0);
      expect(trial.output).toBe("out\n");
      expect(readFileSync(trial.logs.stderr, "utf8")).toBe("err\n");
    });

    test("bounds its output while it is written [DR5]", async () => {
      expect((await trial.ended("head -c 40000000 /dev/zero | tr '\\0' x")).code).toBe(0);
      const { logBytes } = AGENT_LIMITS;
      expect(trial.output.length).toBeLessThanOrEqual(logBytes.value);
      expect(readFileSync(`${trial.logs.stdout}.1`).length).toBeLessThanOrEqual(logBytes.value);
    });

    test("gives it its environment, its ports and a folder of its own that it can write", async () => {
      const script =
        'echo a > here && [ "$(cat here)" = a ] && echo $GREETING $BERTH_WORKLOAD $PORT; exec sleep 600';
      const run = { env: { GREETING: "hello" }, ports: ["http"] };
      trial.start({ command: sh(script), run });
      const { address } = await trial.harness.heard("alive");
      expect(await trial.said(`hello payments/api ${address?.ports["http"]}`)).toBe(true);
    });

    test("asks it to stop, and it ends as it likes [DR10]", async () => {
      const order = trial.start({
        command: sh("trap 'echo stopping; exit 3' TERM; echo ready; while :; do sleep 0.05; done"),
      });
      await trial.said("ready");
      trial.harness.driver.stop(order);
      expect(await trial.harness.heard("exited")).toMatchObject({ code: 3, onRequest: true });
      expect(trial.output).toBe("ready\nstopping\n");
    });

    test("kills it when its grace is over, and says so", async () => {
      const order = trial.start({
        command: sh("trap '' TERM; echo ready; while :; do sleep 0.05; done"),
        run: { stopGraceMs: 300 },
      });
      await trial.said("ready");
      trial.harness.driver.stop(order);
      expect(await trial.harness.heard("exited")).toMatchObject({
        code: 137,
        reason: "its process did not stop within 0.3 s of SIGTERM, killed",
      });
    });

    test("leaves nothing of it behind, also what left its session [DR4]", async () => {
      trial.start({ command: sh("setsid sleep 600 & setsid sleep 600 & echo ready; sleep 600") });
      await trial.said("ready");
      const members = membersOf(trial.record.cgroups![0]!);
      expect(members.length).toBeGreaterThanOrEqual(3);
      trial.harness.driver.stop(trial.order());
      await trial.harness.heard("exited");
      expect(members.filter(isAlive)).toEqual([]);
    });

    test("probes it by a command that runs where it runs [DR6]", async () => {
      const order = trial.start({
        command: sh("echo yes > here; echo ready; exec sleep 600"),
        probe: {
          action: { kind: "exec", command: ["grep", "-q", "yes", "here"] },
          timeoutMs: 60_000,
        },
      });
      await trial.said("ready");
      await trial.harness.heard("alive");
      trial.harness.driver.probe(order);
      expect(await trial.harness.heard("probed")).toMatchObject({ ready: true });
    });

    test("stops one that has only just begun, without waiting for its grace", async () => {
      const order = trial.start({ run: { stopGraceMs: 600_000 } });
      await trial.harness.heard("alive");
      trial.harness.driver.stop(order);
      expect(await trial.harness.heard("exited")).toMatchObject({ code: 143, onRequest: true });
    });

    test("says why it could not be brought to run", async () => {
      trial.start({ command: ["/no/such/program"] });
      expect((await trial.harness.heard("exited")).code).toBe(127);
    });
  });

  describe(`the driver ${of.driver} when its agent is killed`, () => {
    test("goes on, is found again, probed and stopped [DR10]", async () => {
      const probe = { action: { kind: "exec" as const, command: ["true"] }, timeoutMs: 60_000 };
      const order = trial.order({ probe, permittedAt: 42 });
      const { driver, images } = of;
      const more = images === undefined ? {} : { images };
      const folder = await killedAgent({ leashMs: LONG_LEASH_MS, start: [order], driver, ...more });
      expect(await trial.after(folder)).toMatchObject([
        { replica, incarnation: 1, permittedAt: 42 },
      ]);
      trial.harness.driver.probe(order);
      expect(await trial.harness.heard("probed")).toMatchObject({ ready: true });
      trial.harness.driver.stop(order);
      expect(await trial.harness.heard("exited")).toMatchObject({ code: 143, onRequest: true });
    });

    test("ends with its leash, and is not taken for a crash [AG2]", async () => {
      const order = trial.order();
      const { driver, images } = of;
      const more = images === undefined ? {} : { images };
      const folder = await killedAgent({ leashMs: 1_000, start: [order], driver, ...more });
      const [found] = findProcessLogs(folder, replica);
      await eventually("the leash to end", () => found!.folder.state().kind === "ended");
      expect(found!.folder.state()).toMatchObject({ byLeash: true, code: 137 });
      await trial.after(folder);
    });
  });

  describe(`the limits of the driver ${of.driver}`, () => {
    test("hold memory, and the reason says so [DR3]", async () => {
      const hog = "x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done";
      expect(await trial.ended(hog, { memoryMiB: 64 })).toMatchObject({
        code: 137,
        reason: "OOM killed: it used more than its memory limit of 64Mi",
      });
    });

    test("hold the number of processes, and the reason says so", async () => {
      const script = "n=0; while [ $n -lt 1200 ]; do sleep 600 & n=$((n + 1)); done; exit 0";
      const { code, reason } = await trial.ended(script, { memoryMiB: 1_024 });
      expect(code).not.toBe(0);
      expect(reason).toBe("its processes reached their limit of 1024, and a fork failed");
    });

    test("hold its CPU [DR1]", async () => {
      trial.start({ command: sh("echo ready; while :; do :; done"), cpuMillis: 100 });
      await trial.said("ready");
      const isHeld = () => throttledIn(trial.record.cgroups ?? []);
      expect(await eventually("its CPU to be held", isHeld)).toBe(true);
    });
  });
}

function throttledIn(groups: readonly string[]): boolean {
  return groups.some((group) => {
    try {
      const text = readFileSync(join(group, "cpu.stat"), "utf8");
      return Number(/^nr_throttled (\d+)$/m.exec(text)?.[1] ?? 0) > 0;
    } catch {
      return false;
    }
  });
}
