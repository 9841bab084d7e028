/**
 * Looks after the processes of one node, whatever driver runs them: starts, probes and stops them
 * on order, tells what becomes of them, and finds them again after the agent's own death. Decides
 * nothing; the leash is kept by each process's shim, and here once more while there is an agent.
 */
import type { AdoptedProcess, ProcessEvent } from "../../core/kernel/component.ts";
import { type ObjectKey, parseKey, type Uid } from "../../core/model/ids.ts";
import type { Machine } from "../../core/model/node/machine.ts";
import type { BootClock } from "./boot-clock.ts";
import { AGENT_LIMITS } from "../agent-limits.ts";
import { CgroupTree } from "../cgroups/cgroup-tree.ts";
import type { CgroupMounts } from "../cgroups/find-mounts.ts";
import type { RunningProcess } from "../samples/cpu-samples.ts";
import { GuardedProcess } from "./guarded-process.ts";
import { LeashFile } from "./leash-file.ts";
import { LookOrder } from "./look-order.ts";
import {
  type FilesOf,
  prepareProcess,
  recordOf,
  spawnShim,
  type StartOrder,
  type Workshop,
} from "./order-process.ts";
import { PortAllocator, type PortRange } from "./port-allocator.ts";
import type { ProbeAnswer } from "../probes/probe-answer.ts";
import { probeProcess } from "../probes/probe-process.ts";
import { cgroupsOf, type ProcessRecord, STOPPED } from "./process-folder.ts";
import { ProcessFolders } from "./process-folders.ts";
import { type Drivers, plainDrivers } from "../drivers/drivers.ts";
import { ProbeTurns } from "../probes/probe-turns.ts";
import { LogRotation } from "../logs/log-rotation.ts";
import { ReplicaFiles } from "../replica-files.ts";
import { adopted } from "./adopted-process.ts";
import { whyEnded } from "./why-ended.ts";
import { installShimScripts, NOT_STARTED } from "./shim-scripts.ts";

export interface ProcessName {
  readonly replica: ObjectKey;
  readonly incarnation: number;
}

export interface SupervisorOptions {
  readonly folder: string;
  readonly node: string;
  readonly host: string;
  readonly clock: BootClock;
  readonly tell: (event: ProcessEvent) => void;
  /** For people: what a process could not be given, and why one did not start. */
  readonly note: (message: string) => void;
  readonly logBytes?: number;
  /** Where cgroups are mounted; found out when left out. */
  readonly cgroupMounts?: CgroupMounts;
  readonly ports?: PortRange;
  /** Between two looks of a guard at the leash; left out: a second. */
  readonly guardLookMs?: number;
  /** Processes of one replica; left out: as many as usual. */
  readonly processesPerReplica?: number;
  /** Left out: plain processes only. */
  readonly drivers?: Drivers;
  readonly files?: ReplicaFiles;
  readonly filesOf?: FilesOf;
}

/** Exit code of what SIGKILL ended. */
const KILLED = 137;
/** A start or a stop is a matter of milliseconds. */
const LOOK_SOON_MS = 20;

export class Supervisor {
  private readonly options: SupervisorOptions;
  private readonly folders: ProcessFolders;
  private readonly leashFile: LeashFile;
  private readonly workshop: Workshop;
  private readonly probes = new ProbeTurns(AGENT_LIMITS.probesAtOnce.value);
  private readonly processes = new Map<string, GuardedProcess>();
  /** The agent has not held a lease in this incarnation of its own. */
  private isLeaseAwaited = true;
  private readonly lookOrder = new LookOrder();
  private lookTimer: NodeJS.Timeout | undefined;
  /** When it fires, since boot. */
  private lookAtMs = Number.POSITIVE_INFINITY;
  private readonly rotation: LogRotation;
  private isClosed = false;

  constructor(options: SupervisorOptions) {
    this.options = options;
    const { folder, node, host, cgroupMounts, logBytes = AGENT_LIMITS.logBytes.value } = options;
    const cgroups = new CgroupTree({
      node,
      folder,
      processes: options.processesPerReplica ?? AGENT_LIMITS.processesPerReplica.value,
      ...(cgroupMounts === undefined ? {} : { mounts: cgroupMounts }),
    });
    for (const note of cgroups.notes) options.note(note);
    const files = options.files ?? new ReplicaFiles(folder);
    const { drivers = plainDrivers(folder, files), filesOf } = options;
    this.folders = new ProcessFolders(`${folder}/processes`);
    this.leashFile = new LeashFile(`${folder}/leash`);
    this.workshop = {
      node,
      host,
      ports: new PortAllocator(options.ports),
      cgroups,
      drivers,
      files,
      ...(filesOf === undefined ? {} : { filesOf }),
      scripts: installShimScripts(folder, options.guardLookMs),
      leashFile: this.leashFile.path,
      logBytes,
    };
    this.rotation = new LogRotation({
      logBytes,
      // Only those of an older agent: the others go through a pipe that bounds them.
      files: () =>
        [...this.processes.values()]
          .filter(({ record }) => record.isPiped !== true)
          .flatMap((process) => [process.folder.stdout, process.folder.stderr]),
    });
  }

  /**
   * What earlier agents have left, running or ended and not settled. Called once, before anything
   * else.
   */
  adopt(of: { readonly isNewBoot: boolean }): readonly AdoptedProcess[] {
    if (of.isNewBoot) {
      this.leashFile.clear();
      this.workshop.drivers.sweep(new Set());
      this.folders.settleAll();
      return [];
    }
    const newest = new Map<ObjectKey, GuardedProcess>();
    for (const process of this.folders.recorded()) {
      process.hasBegun = () => this.workshop.drivers.of(process.record).hasBegun(process);
      // An agent died between writing the record and spawning the shim, or just after it.
      process.folder.revoke();
      process.look(this.now());
      const older = newest.get(process.record.replica);
      if (older !== undefined) this.discard(older);
      newest.set(process.record.replica, process);
    }
    for (const process of newest.values()) {
      this.processes.set(nameOf(process.record), process);
      this.workshop.ports.hold(process.record.address?.ports ?? {});
      this.workshop.drivers.of(process.record).adopt(process.record);
    }
    this.workshop.drivers.sweep(new Set([...newest.values()].map(({ folder }) => folder.name)));
    const groups = [...newest.values()].flatMap(({ record }) => cgroupsOf(record));
    this.workshop.cgroups.sweep(new Set(groups));
    return [...newest.values()].map(({ record }) => adopted(record));
  }

  /** What it can and cannot do for its processes. */
  get machine(): Pick<Machine, "notes" | "drivers"> {
    return { notes: this.workshop.cgroups.notes, drivers: this.workshop.drivers.report };
  }

  /** What runs here at this moment, to be measured, and where its files are. */
  running(): readonly (RunningProcess & { readonly uid: Uid; readonly folder: string })[] {
    return [...this.processes.values()].flatMap(({ record, folder, leader }) => {
      const { replica, uid, incarnation, asked, metrics, address } = record;
      const of = { replica, uid, incarnation, cpuMillis: asked.cpuMillis, folder: folder.name };
      if (leader === undefined) return [];
      const scraped = metrics === undefined ? {} : { scraped: { metrics, address } };
      return [{ ...of, pid: leader.pid, cgroups: cgroupsOf(record), ...scraped }];
    });
  }

  /** From now on news is told. */
  begin(): void {
    this.lookAgain();
  }

  start(order: StartOrder): void {
    const { replica, incarnation, leashed } = order;
    const before = this.find(order);
    // The name is the identity: a second order to start what runs is the same order.
    if (before?.isEnded === false) return;
    this.forget(order);
    if (leashed && this.leashFile.isOver(this.now())) {
      this.options.tell({ kind: "exited", replica, incarnation, code: KILLED });
      return;
    }
    this.bringUp(order).catch((error: unknown) => {
      this.options.note(`cannot start ${replica} (incarnation ${incarnation}): ${String(error)}`);
      const process = this.find(order);
      const reason = error instanceof Error ? error.message : String(error);
      process?.neverBegan(reason);
      if (process === undefined)
        this.options.tell({ kind: "exited", replica, incarnation, code: NOT_STARTED, reason });
      this.lookAgain();
    });
  }

  private async bringUp(order: StartOrder): Promise<void> {
    const { workshop } = this;
    const folder = this.folders.add(order.replica, order.incarnation);
    const ordered = recordOf(order, this.options.clock.nowMs());
    const process = new GuardedProcess({ folder, record: ordered, wasTold: false });
    process.hasBegun = () => this.workshop.drivers.of(process.record).hasBegun(process);
    this.processes.set(nameOf(order), process);
    const prepared = await prepareProcess({ order, record: ordered, folder, workshop });
    process.record = prepared.record;
    // Called back, or left to the next agent, while its ports were being found.
    if (this.isClosed || process.isStopping) return;
    const shim = spawnShim({ ...prepared, folder, workshop });
    const gone = (): void => {
      if (this.isClosed || process.isEnded) return;
      process.look(this.now());
      process.neverBegan();
      this.lookAgain();
    };
    shim.once("exit", gone);
    shim.once("error", (error) => {
      const reason = `cannot start its shim: ${error.message}`;
      this.options.note(`${order.replica}: ${reason}`);
      process.neverBegan(reason);
      gone();
    });
    this.lookAgain();
  }

  probe(name: ProcessName): void {
    const { replica, incarnation } = name;
    const process = this.find(name);
    const answer = (of: ProbeAnswer): void =>
      this.options.tell({ kind: "probed", replica, incarnation, ...of });
    if (process?.state.kind !== "running") {
      answer({ ready: false, said: "its process is not running" });
      return;
    }
    const { folder, record } = process;
    const { probe, address } = record;
    const { namespace } = parseKey(replica);
    if (probe === undefined) {
      answer({ ready: true, said: "its process is running" });
      return;
    }
    // A slow probe answers for those that were asked for meanwhile.
    if (process.probing !== undefined) return;
    const probing = new AbortController();
    process.probing = probing;
    const { signal } = probing;
    const inside = {
      enter: (command: readonly string[]) =>
        this.workshop.drivers.of(record).inside({ folder, record, command }),
      cgroups: cgroupsOf(record),
      script: this.workshop.scripts.probe,
    };
    const hear = (of: ProbeAnswer): void => {
      process.probing = undefined;
      if (!this.isClosed && !process.isEnded) answer(of);
    };
    this.probes
      .run(namespace, () => probeProcess({ probe, address, inside, signal }))
      .then(hear, (error: unknown) =>
        hear({ ready: false, said: `cannot probe it: ${String(error)}` }),
      );
  }

  stop(name: ProcessName): void {
    const { replica, incarnation } = name;
    const process = this.find(name);
    if (process === undefined || process.isEndTold) {
      // A request to stop a process that has ended is answered with its end.
      this.options.tell({ kind: "exited", replica, incarnation, code: STOPPED });
      return;
    }
    process.stop(this.now());
    this.lookAgain();
  }

  /** `untilMs` on the clock that components are told. */
  leash(untilMs: number): void {
    this.leashFile.extendTo(this.options.clock.toSinceBootMs(untilMs));
    this.isLeaseAwaited = false;
    this.lookAgain();
  }

  /** Ended, told, and not forgotten yet. */
  get ended(): readonly ProcessRecord[] {
    return [...this.processes.values()]
      .filter(({ isEndTold }) => isEndTold)
      .map(({ record }) => record);
  }

  /** Its end was reported. */
  forget(name: ProcessName): void {
    const process = this.find(name);
    if (process === undefined || !process.isEnded) return;
    this.processes.delete(nameOf(name));
    this.discard(process);
  }

  /** Asks every process to stop; resolves when none is left. */
  async stopAll(): Promise<void> {
    for (const process of this.processes.values()) process.stop(this.now());
    while ([...this.processes.values()].some(({ isEnded }) => !isEnded)) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_SOON_MS));
      for (const process of this.processes.values()) process.look(this.now());
    }
    for (const process of this.processes.values()) process.removeCgroups();
    this.workshop.cgroups.close();
    this.workshop.drivers.close();
  }

  /**
   * Tells nothing more. The processes go on, and wait for the next agent or the end of their leash.
   */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.lookTimer);
    this.rotation.close();
    for (const { probing } of this.processes.values()) probing?.abort();
    this.workshop.cgroups.close();
  }

  /**
   * Something has changed. Not at once: a hundred starts in one turn are one look at each of them.
   */
  private lookAgain(): void {
    this.lookIn(LOOK_SOON_MS);
  }

  private lookIn(ms: number): void {
    const atMs = this.now() + ms;
    if (this.isClosed || atMs >= this.lookAtMs) return;
    clearTimeout(this.lookTimer);
    this.lookAtMs = atMs;
    this.lookTimer = setTimeout(() => this.lookNow(), ms);
  }

  private lookNow(): void {
    if (this.isClosed) return;
    this.lookAtMs = Number.POSITIVE_INFINITY;
    const { due, againMs } = this.lookOrder.next(this.processes.values(), this.now());
    for (const process of due) {
      try {
        this.lookAt(process);
      } catch (error) {
        // As when no file can be opened for a while. The next look is as good as this one.
        this.options.note(`cannot inspect ${process.record.replica}: ${String(error)}`);
      }
    }
    this.lookIn(againMs);
  }

  private lookAt(process: GuardedProcess): void {
    const now = this.now();
    const news = process.look(now);
    if (news !== undefined) this.options.tell(news);
    if (process.isEnded) this.tellEnd(process);
    else if (process.record.leashed && this.leashFile.isOver(now)) process.killByLeash();
  }

  private tellEnd(process: GuardedProcess): void {
    const { state, record } = process;
    if (process.isEndTold || state.kind !== "ended") return;
    // The agent takes an end without a lease for the work of the leash. A process that ended by
    // itself while there was no agent did not meet its leash, so its end is told when the lease is
    // back.
    const isItsOwn = !state.byLeash && !state.onRequest && !process.isStopping;
    if (record.leashed && this.isLeaseAwaited && isItsOwn) return;
    process.isEndTold = true;
    this.workshop.ports.release(record.address?.ports ?? {});
    const { replica, incarnation } = record;
    const reason = process.whyNot ?? whyEnded(process, state.code);
    this.options.tell({
      kind: "exited",
      replica,
      incarnation,
      code: state.code,
      ...(state.onRequest ? { onRequest: true as const } : {}),
      ...(reason === undefined ? {} : { reason }),
    });
  }

  /**
   * Of no interest any more. One that still runs would be a second process of its replica: it goes.
   */
  private discard(process: GuardedProcess): void {
    if (!process.isEnded) process.kill();
    process.removeCgroups();
    this.workshop.drivers.of(process.record).clean(process.record, process.folder);
    this.workshop.files.remove(process.folder.name);
    this.folders.settle(process.folder);
  }

  private find(name: ProcessName): GuardedProcess | undefined {
    return this.processes.get(nameOf(name));
  }

  private now(): number {
    return this.options.clock.sinceBootMs();
  }
}

const nameOf = ({ replica, incarnation }: ProcessName): string => `${replica} ${incarnation}`;
