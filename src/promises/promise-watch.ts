/**
 * Re-checks the promises of a running plane while its fleet changes. It notes which objects
 * changed, sends these to a thread before a check, and keeps the verdicts. Verdicts are measured
 * beside the log: no decision reads them, and after a restart they are computed anew. A plane
 * without promises has no thread and notes nothing.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kind, KINDS, type ObjectKey, type Revision } from "../core/model/ids.ts";
import type { AnyObject, Commitment } from "../core/model/objects.ts";
import type { Commit } from "../core/protocol/commit-record.ts";
import type { HostClock } from "../host/host-clock.ts";
import type { PlanePort } from "../host/plane-port.ts";
import { PROMISE_LIMITS } from "./promise-limits.ts";
import type { CheckedRound, PromiseCheck, PromiseStanding } from "./promise-standing.ts";
import { type FromChecker, type PromiseThread, startPromiseThread } from "./promise-thread.ts";

/** Heartbeats and elections say nothing about room. */
const UNNOTED: ReadonlySet<Kind> = new Set(["Lease", "LeaderLease"]);
const NOTED = KINDS.filter((kind) => !UNNOTED.has(kind));

/** Copied for the thread in one turn: about a millisecond. */
const OBJECTS_PER_TURN = 200;

const { quietMs, latestMs, staleMs, historyKept } = PROMISE_LIMITS;

export interface PromiseWatchOf {
  readonly plane: Pick<PlanePort, "objects" | "revision" | "onPublish">;
  readonly clock: HostClock;
  readonly onTrouble: (error: unknown) => void;
  /** Of quiet before a check; left out: as its limit says. */
  readonly quietMs?: number;
}

/** A verdict that differs from the one before it. */
export interface VerdictMove {
  readonly commitment: Commitment;
  readonly standing: PromiseStanding;
  readonly before: PromiseStanding["verdict"] | undefined;
}

export class PromiseWatch {
  /** Of the last round; undefined before the first. */
  round: (CheckedRound & { readonly atMs: number }) | undefined;
  /** Work of all threads so far. */
  busyMs = 0;
  private readonly of: PromiseWatchOf;
  private readonly standings = new Map<ObjectKey, PromiseStanding>();
  private readonly listeners = new Set<(move: VerdictMove) => void>();
  private readonly changed = new Set<ObjectKey>();
  /** When the fleet first changed after the last check began. */
  private changedMs: number | undefined;
  private readonly stop: () => void;
  private thread: PromiseThread | undefined;
  private timer: NodeJS.Timeout | undefined;
  private checking: { readonly revision: Revision; readonly atMs: number } | undefined;

  constructor(of: PromiseWatchOf) {
    this.of = of;
    this.stop = of.plane.onPublish((commits) => this.published(commits));
    this.startOrEnd();
  }

  get isRunning(): boolean {
    return this.thread !== undefined;
  }

  close(): void {
    this.stop();
    this.end();
  }

  onMove(listener: (move: VerdictMove) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Undefined: not checked yet. A verdict about a fleet that is gone for long is none. */
  standingOf({ key, meta }: Commitment): PromiseStanding | undefined {
    const standing = this.standings.get(key);
    if (standing === undefined || standing.generation !== meta.generation) return undefined;
    if (!this.isStale(standing)) return standing;
    const reason = "The fleet has changed since, and the check has not come to it yet.";
    return { ...standing, verdict: "not-shown", reason };
  }

  /** Whether nothing that a promise may depend on has changed since the check. */
  get isCurrent(): boolean {
    return this.round !== undefined && this.changedMs === undefined && this.checking === undefined;
  }

  private isStale({ checkedMs, revision }: PromiseStanding): boolean {
    const isBehind = !this.isCurrent || revision !== this.round?.revision;
    return isBehind && this.of.clock.nowMs() - checkedMs > staleMs.value;
  }

  private published(commits: readonly Commit[]): void {
    let isAnyNoted = false;
    let isAnyPromise = false;
    for (const { command, changes } of commits) {
      if (command === "lease" && changes.length === 1) continue;
      for (const { key, before, after } of changes) {
        const kind = (after ?? before)?.kind;
        if (kind === undefined || UNNOTED.has(kind)) continue;
        if (kind === "Commitment") isAnyPromise = true;
        if (this.thread === undefined) continue;
        this.changed.add(key);
        isAnyNoted = true;
      }
    }
    if (isAnyPromise) this.startOrEnd();
    else if (isAnyNoted) this.fleetChanged();
  }

  private startOrEnd(): void {
    const promises = this.of.plane.objects.all("Commitment");
    if (promises.size === 0) return this.end();
    for (const key of this.standings.keys()) if (!promises.has(key)) this.standings.delete(key);
    if (this.thread === undefined) {
      this.thread = startPromiseThread(
        (message) => this.heard(message),
        (error) => this.failed(error),
      );
      for (const kind of NOTED) {
        for (const key of this.of.plane.objects.all(kind).keys()) this.changed.add(key);
      }
    }
    this.fleetChanged();
  }

  private end(): void {
    clearTimeout(this.timer);
    void this.thread?.end();
    this.thread = undefined;
    this.timer = undefined;
    this.checking = undefined;
    this.changedMs = undefined;
    this.round = undefined;
    this.changed.clear();
    this.standings.clear();
  }

  /** Out of memory, say: what it was told is gone with it. */
  private failed(error: Error): void {
    this.of.onTrouble(error);
    this.end();
  }

  private fleetChanged(): void {
    const nowMs = this.of.clock.nowMs();
    this.changedMs ??= nowMs;
    if (this.checking !== undefined) return;
    const waitMs = Math.min(
      this.of.quietMs ?? quietMs.value,
      Math.max(0, this.changedMs + latestMs.value - nowMs),
    );
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.begin(), waitMs);
    this.timer.unref();
  }

  private begin(): void {
    const { plane, clock } = this.of;
    const { revision } = plane;
    // Objects never change, only the index does: these are of one revision however long it takes.
    const sent = [...this.changed].map((key) => ({ key, after: plane.objects.get(key) }));
    this.changed.clear();
    this.changedMs = undefined;
    this.checking = { revision, atMs: clock.nowMs() };
    void this.send(sent, revision);
  }

  private async send(
    sent: readonly { readonly key: ObjectKey; readonly after: AnyObject | undefined }[],
    revision: Revision,
  ): Promise<void> {
    const { thread } = this;
    for (let at = 0; at < sent.length; at += OBJECTS_PER_TURN) {
      const part = sent.slice(at, at + OBJECTS_PER_TURN);
      const changed = part.flatMap(({ after }) => after ?? []);
      const gone = part.flatMap(({ key, after }) => (after === undefined ? [key] : []));
      thread?.send({ kind: "follow", changed, gone });
      await nextTurn();
      if (this.thread !== thread) return;
    }
    thread?.send({ kind: "check", revision });
  }

  private heard(message: FromChecker): void {
    const { checking } = this;
    if (checking === undefined) return;
    if (message.kind === "checked") return this.checked(message.check, checking);
    const { round } = message;
    this.round = { ...round, atMs: checking.atMs };
    if (message.kind === "seen") return;
    this.busyMs += round.busyMs;
    for (const [key, standing] of this.standings) {
      if (standing.revision !== round.revision) continue;
      this.standings.set(key, { ...standing, fleet: round.fleet });
    }
    this.checking = undefined;
    if (this.changedMs !== undefined) this.fleetChanged();
  }

  private checked(
    check: PromiseCheck,
    { revision, atMs }: { readonly revision: Revision; readonly atMs: number },
  ): void {
    const commitment = this.of.plane.objects.all("Commitment").get(check.key);
    // Another promise stands under this name by now.
    if (commitment === undefined || commitment.meta.generation !== check.generation) return;
    const before = this.standings.get(check.key);
    const isSame = before?.generation === check.generation && before.verdict === check.verdict;
    const standing: PromiseStanding = {
      ...check,
      sinceMs: isSame ? before.sinceMs : atMs,
      checkedMs: atMs,
      revision,
      fleet: "",
      history: isSame || before === undefined ? (before?.history ?? []) : historyWith(before),
    };
    this.standings.set(check.key, standing);
    if (isSame) return;
    const move = { commitment, standing, before: before?.verdict };
    for (const listener of this.listeners) listener(move);
  }
}

const historyWith = ({ verdict, reason, sinceMs, revision, history }: PromiseStanding) =>
  [{ verdict, reason, atMs: sinceMs, revision }, ...history].slice(0, historyKept.value);
