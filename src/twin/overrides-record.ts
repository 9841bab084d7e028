/**
 * When overrides were over and when their objects were gone, and whether work still waited for one
 * of them after that: an override that is gone must hold nothing back.
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import { type ObjectKey, parseKey } from "../core/model/ids.ts";
import type { Override } from "../core/model/objects.ts";
import type { DecisionRecord } from "../core/protocol/decision.ts";
import type { Checker, Truth } from "../sim/check/checker.ts";
import { isRenewal } from "../sim/check/fast-path.ts";
import type { TwinOverride } from "./twin-run.ts";

interface Held {
  readonly name: string;
  /** In true time; the authority counts on its own clock. */
  overMs: number;
  goneMs: number | undefined;
}

export class OverridesRecord implements Checker {
  readonly name = "overrides-record";
  private readonly held = new Map<ObjectKey, Held>();
  private readonly gone: Held[] = [];
  /** By controller and key: objects whose last decision is to wait for an override. */
  private readonly waiting = new Map<string, ObjectKey>();
  private fromMs = Infinity;

  /** The first event happens now. */
  begin(nowMs: number): void {
    this.fromMs = nowMs;
  }

  afterCommit(commit: Commit, { nowMs }: Truth): void {
    if (isRenewal(commit)) return;
    for (const { key, before, after } of commit.changes) {
      if (after?.kind === "Override") this.take(after, nowMs, commit.atMs);
      else if (before?.kind === "Override") this.end(key, nowMs);
      else if (after === undefined) this.forget(key);
    }
  }

  decided(records: readonly DecisionRecord[]): void {
    for (const { controller, key, decision } of records) {
      if (parseKey(key).kind === "Override") continue;
      const of = `${controller} ${key}`;
      if (decision.kind === "wait" && decision.reason === "override") this.waiting.set(of, key);
      else this.waiting.delete(of);
    }
  }

  /** Those that were over while they were watched, in the order of their ends. */
  overrides(endedMs: number): readonly TwinOverride[] {
    const blocked = this.held.size === 0 ? [...new Set(this.waiting.values())].toSorted() : [];
    return [...this.gone, ...this.held.values()]
      .filter(({ overMs, goneMs = Infinity }) => overMs <= endedMs && goneMs >= this.fromMs)
      .toSorted((a, b) => a.overMs - b.overMs || (a.name < b.name ? -1 : 1))
      .map(({ name, overMs, goneMs }) => ({
        name,
        overMs: overMs - this.fromMs,
        lateMs: (goneMs ?? endedMs) - overMs,
        isGone: goneMs !== undefined,
        ...(blocked.length === 0 ? {} : { stillWait: blocked }),
      }));
  }

  /** One that a person takes back is over at that moment. */
  private take({ key, meta, status }: Override, nowMs: number, clockMs: number): void {
    const leftMs = meta.deletingMs === undefined ? status.untilMs - clockMs : 0;
    const overMs = nowMs + Math.max(0, leftMs);
    const known = this.held.get(key);
    if (known === undefined) this.held.set(key, { name: meta.name, overMs, goneMs: undefined });
    else known.overMs = meta.deletingMs === undefined ? overMs : Math.min(known.overMs, overMs);
  }

  private end(key: ObjectKey, nowMs: number): void {
    const held = this.held.get(key);
    if (held === undefined) return;
    this.held.delete(key);
    // Released before its time: it was over then.
    this.gone.push({ ...held, overMs: Math.min(held.overMs, nowMs), goneMs: nowMs });
  }

  private forget(key: ObjectKey): void {
    for (const [of, waits] of this.waiting) if (waits === key) this.waiting.delete(of);
  }
}
