/** A driver of real processes in a folder of the test's own, and orders for it. */
import { chmodSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BootClock } from "../../src/agent/process/boot-clock.ts";
import type { StartOrder } from "../../src/agent/process/order-process.ts";
import { startTicksOf } from "../../src/shell/process-identity.ts";
import { type SupervisorOptions, Supervisor } from "../../src/agent/process/supervisor.ts";
import type { ProcessEvent } from "../../src/core/kernel/component.ts";
import { replicaKey, type Uid } from "../../src/core/model/ids.ts";
import type { RunOptions } from "../../src/core/model/run-options.ts";
import { aTemplate, type TemplateParts } from "../builders/a-template.ts";
import { removeFolder } from "../builders/remove-folder.ts";

/** Far beyond what any of this takes: it ends a hang and measures nothing. */
const PATIENCE_MS = 120_000;

export class DriverHarness {
  readonly folder: string;
  readonly clock = new BootClock();
  readonly events: ProcessEvent[] = [];
  readonly notes: string[] = [];
  driver: Supervisor;
  private readonly options: Partial<SupervisorOptions>;

  constructor(of: { folder?: string } & Partial<SupervisorOptions> = {}) {
    this.folder = of.folder ?? mkdtempSync(join(tmpdir(), "berth-agent-"));
    // As the agent makes it: processes of other users pass through.
    chmodSync(this.folder, 0o711);
    this.options = of;
    this.driver = this.createDriver();
  }

  private createDriver(): Supervisor {
    return new Supervisor({
      node: "a-1",
      host: "127.0.0.1",
      clock: this.clock,
      tell: (event) => void this.events.push(event),
      note: (message) => void this.notes.push(message),
      ...this.options,
      folder: this.folder,
    });
  }

  /** A first agent on this node, with a leash far away. */
  begun(): this {
    this.driver.adopt({ isNewBoot: true });
    this.driver.begin();
    this.driver.leash(this.clock.nowMs() + 600_000);
    return this;
  }

  /** The driver goes without a word, as with a SIGKILL, and another comes; what it finds is returned. */
  again(): ReturnType<Supervisor["adopt"]> {
    this.driver.close();
    this.events.length = 0;
    this.driver = this.createDriver();
    const adopted = this.driver.adopt({ isNewBoot: false });
    this.driver.begin();
    return adopted;
  }

  async heard<K extends ProcessEvent["kind"]>(
    kind: K,
    of: { replica: string } = anOrder(),
  ): Promise<Extract<ProcessEvent, { kind: K }>> {
    return eventually(`${kind} of ${of.replica}`, () => {
      const found = this.events.find(
        (event) => event.kind === kind && event.replica === of.replica,
      );
      return found as Extract<ProcessEvent, { kind: K }> | undefined;
    });
  }

  async run(order: StartOrder = anOrder()): Promise<void> {
    this.driver.start(order);
    await this.heard("alive", order);
  }

  /** What the processes of this folder have left, by the end of the file's name. */
  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  async end(): Promise<void> {
    // Also what no driver of this test has started: a killed agent's.
    this.again();
    await this.driver.stopAll();
    this.driver.close();
    // A shim whose process was killed by the test may still be writing its last file.
    await removeFolder(this.folder);
  }
}

/** Whoever listens to SIGTERM has done so long before the grace ends, also on a machine that stands still for seconds. */
const NO_RUN: RunOptions = { env: {}, workingDir: "", user: "", ports: [], stopGraceMs: 30_000 };

export interface OrderParts extends Omit<TemplateParts, "run"> {
  readonly index?: number;
  readonly uid?: string;
  readonly incarnation?: number;
  readonly leashed?: boolean;
  readonly permittedAt?: number;
  readonly deviceIds?: readonly string[];
  readonly run?: Partial<RunOptions>;
}

export function anOrder(of: OrderParts = {}): StartOrder {
  const { index = 0, incarnation = 1, leashed = true, permittedAt = 7, deviceIds = [], run } = of;
  const { probe, command, fixedPorts, disk } = of;
  return {
    replica: replicaKey({ tenant: "payments", workload: "api", generation: 1, index }),
    uid: (of.uid ?? "u-1") as Uid,
    incarnation,
    permittedAt,
    leashed,
    workload: "api",
    index,
    deviceIds,
    template: aTemplate({
      // Limits hold: with little CPU even a shell would take its time.
      cpuMillis: of.cpuMillis ?? 2_000,
      memoryMiB: of.memoryMiB ?? 256,
      ...(command === undefined ? { command: ["sleep", "600"] } : { command }),
      ...(probe === undefined ? {} : { probe }),
      ...(fixedPorts === undefined ? {} : { fixedPorts }),
      ...(disk === undefined ? {} : { disk }),
      run: { ...NO_RUN, ...run },
    }),
  };
}

/** A command of /bin/sh. */
export const sh = (script: string): readonly string[] => ["/bin/sh", "-c", script];

/** Whether a process is there and does something; a zombie does nothing any more. */
export const isAlive = (pid: number): boolean => startTicksOf(pid) !== undefined;

/** The number that a process has written as a line; undefined before the line is whole. A file is there before it is written to. */
export function pidSaidIn(file: string | undefined): number | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  const said = /^(\d+)\n/.exec(readFileSync(file, "utf8"))?.[1];
  return said === undefined ? undefined : Number(said);
}

type Answer<T> = T | undefined | false;

/** Asks again and again until there is an answer. */
export async function eventually<T>(
  what: string,
  ask: () => Answer<T> | Promise<Answer<T>>,
): Promise<T> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > untilMs) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
