/**
 * A plane's writing half as a program of its own, to be killed, fenced and starved of disk by tests:
 *
 *   node writer-process.mjs FILE [--no-lock] [--ballast FILE]
 *
 * It keeps an authority on a real log busy and prints a line for whatever somebody was told:
 * `leading EPOCH`, `OPERATION REVISION` for each committed command, `unavailable MESSAGE`, `fenced`.
 */
import { rmSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { isMainThread } from "node:worker_threads";
import { Authority } from "../../src/core/commit/authority.ts";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { Ledger } from "../../src/core/commit/ledger.ts";
import { restoreLedger, takeSnapshot } from "../../src/core/commit/snapshot.ts";
import type { AuthorityEffect, AuthorityInput, Request } from "../../src/core/kernel/component.ts";
import { type OperationId, operationId, tenantKey } from "../../src/core/model/ids.ts";
import { type LogStore, LogUnavailable } from "../../src/host/store/log-store.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";

/** Enough for batches of many sizes. */
const IN_FLIGHT = 40;
/** A snapshot so often that many incarnations end in the middle of one. */
const SNAPSHOT_EVERY = 150;
export const KEPT = 200;

class Writer {
  private readonly log: LogStore;
  private readonly ballast: string | undefined;
  private readonly authority = new Authority({ name: "writer" });
  /** Everything durable, as the host of a plane keeps it: what a snapshot may be taken of. */
  private durable = new Ledger();
  private readonly asked = new Map<number, OperationId>();
  private calls = 0;
  private snapshotAt = 0;
  private timesFull = 0;

  constructor(log: LogStore, ballast: string | undefined) {
    this.log = log;
    this.ballast = ballast;
  }

  async run(): Promise<void> {
    await this.give({ kind: "started" });
  }

  private async give(input: AuthorityInput): Promise<void> {
    const turn = { now: Date.now(), random: () => 0 };
    for (const effect of this.authority.receive(input, turn)) await this.carryOut(effect);
  }

  private async carryOut(effect: AuthorityEffect): Promise<void> {
    switch (effect.kind) {
      case "claim":
        return this.claim();
      case "append":
        return void this.append(effect.epoch, effect.commits);
      case "respond": {
        const operation = this.asked.get(effect.call);
        this.asked.delete(effect.call);
        const { reply } = effect;
        if (reply.kind === "outcome" && reply.outcome.kind === "committed") {
          say(`${operation} ${reply.outcome.revision}`);
        }
        return this.ask();
      }
      case "publish":
        return;
      case "resigned":
        say("fenced");
        process.exit(0);
    }
  }

  private async claim(): Promise<void> {
    for (;;) {
      try {
        const { epoch, snapshot, commits } = await this.log.claim();
        this.durable = snapshot ? restoreLedger(snapshot) : new Ledger();
        for (const commit of commits) this.durable.fold(commit);
        say(`leading ${epoch}`);
        await this.give({ kind: "claimed", epoch, commits, ...(snapshot ? { snapshot } : {}) });
        this.asked.clear();
        for (let n = 0; n < IN_FLIGHT; n += 1) await this.ask();
        return;
      } catch (error) {
        if (!(error instanceof LogUnavailable)) throw error;
        await this.starved(error);
        await sleep(5);
      }
    }
  }

  private async append(epoch: number, commits: readonly Commit[]): Promise<void> {
    try {
      const result = await this.log.append(epoch, commits);
      if (result === "durable") for (const commit of commits) this.durable.fold(commit);
      await this.give({ kind: "appended", result });
      this.snapshot(epoch);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      await this.starved(error);
      // Nothing was written, and the authority goes on from what is: the same as after a lost answer.
      await this.give({ kind: "appended", result: "unknown" });
    }
  }

  private snapshot(epoch: number): void {
    if (this.durable.revision < this.snapshotAt + SNAPSHOT_EVERY) return;
    this.snapshotAt = this.durable.revision;
    this.log.compact(epoch, takeSnapshot(this.durable)).catch((error: unknown) => {
      if (!(error instanceof LogUnavailable)) throw error;
    });
  }

  private ask(): Promise<void> {
    this.calls += 1;
    const call = this.calls;
    const operation = operationId(`${this.authority.epoch}/${call}`);
    this.asked.set(call, operation);
    return this.give({ kind: "request", from: "tester", call, request: this.request(operation) });
  }

  private request(operation: OperationId): Request {
    const key = tenantKey(`t-${this.calls % 30}`);
    const rest = { key, operation, expect: {} } as const;
    const desired = { kind: "Tenant", spec: { displayName: operation.padEnd(300, ".") } } as const;
    const intent =
      this.calls % 7 === 0
        ? ({ kind: "delete", ...rest } as const)
        : ({ kind: "put", desired, labels: {}, finalizers: [], ...rest } as const);
    const actor = { role: "user", name: "tester" } as const;
    const { epoch } = this.authority;
    return { kind: "command", command: { intent, epoch, basis: 0, actor }, attempt: 1 };
  }

  /** The first time there is room to be made; the second time the disk is full for good. */
  private async starved(error: LogUnavailable): Promise<void> {
    say(`unavailable ${error.message}`);
    this.timesFull += 1;
    if (this.ballast === undefined || this.timesFull > 1) {
      // The thread may be writing a snapshot: to leave in the middle of that is a crash, and not what is tested here.
      await this.log.close();
      process.exit(0);
    }
    rmSync(this.ballast);
  }
}

/** Straight to the system: what was said stays said when the process is killed. */
function say(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length;) at += writeSome(bytes, at);
}

/** A pipe that is full for the moment is waited for, without letting anything else happen meanwhile. */
function writeSome(bytes: Buffer, at: number): number {
  try {
    return writeSync(1, bytes, at);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}

// The log's thread runs this same bundle.
if (isMainThread) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "no-lock": { type: "boolean", default: false }, ballast: { type: "string" } },
  });
  const options = { lock: !values["no-lock"], keptRevisions: KEPT };
  const log = await SqliteLog.open(positionals[0] ?? "", options);
  await new Writer(log, values.ballast).run();
}
