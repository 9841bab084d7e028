/**
 * Whether each agent reads its stream, and when that last broke: the plane's own record of gaps. It
 * is kept in memory, one entry a node, because a break proves nothing and permits nothing: it is
 * told to people who look at a silence, and a write for each would be a storm at the very moment in
 * which many break.
 */
import type { Revision } from "../../core/model/ids.ts";

/**
 * An agent that lists again is back in less; what lasts longer is a gap that somebody may want to
 * know of.
 */
const GAP_MS = 1_000;

/**
 * More nodes than a plane is made for, so that names which come once and never again do not fill
 * the memory.
 */
const NODES_KEPT = 100_000;

export interface StreamGap {
  readonly fromMs: number;
  /** Left out: it lasts. */
  readonly toMs?: number;
  /** How far the agent had been told when it began. */
  readonly revision: Revision;
}

export interface AgentStream {
  readonly isOpen: boolean;
  /** Since when it is open, or broken. */
  readonly sinceMs: number;
  /** The last one of a second or more; left out: none since this plane began. */
  readonly gap?: StreamGap;
}

interface Entry {
  /** Tells the streams of one agent apart: the end of an older one is no news. */
  stream: number;
  openedMs: number;
  broken?: { readonly atMs: number; readonly revision: Revision };
  gap?: StreamGap;
}

export class AgentStreams {
  private readonly byNode = new Map<string, Entry>();
  private streams = 0;

  /** Returns what is to be called when it ends, with how far it had come. */
  opened(node: string, nowMs: number): (revision: Revision, nowMs: number) => void {
    const entry = this.byNode.get(node) ?? { stream: 0, openedMs: nowMs };
    const { broken } = entry;
    if (broken !== undefined && nowMs - broken.atMs >= GAP_MS) {
      entry.gap = { fromMs: broken.atMs, toMs: nowMs, revision: broken.revision };
    }
    delete entry.broken;
    this.streams += 1;
    const stream = this.streams;
    entry.stream = stream;
    entry.openedMs = nowMs;
    this.keep(node, entry);
    return (revision, atMs) => {
      if (entry.stream === stream) entry.broken = { atMs, revision };
    };
  }

  /** Undefined: this plane has not seen one. */
  of(node: string, nowMs: number): AgentStream | undefined {
    const entry = this.byNode.get(node);
    if (entry === undefined) return undefined;
    const { broken, openedMs } = entry;
    if (broken === undefined) return shown(true, openedMs, entry.gap);
    const lasts = { fromMs: broken.atMs, revision: broken.revision };
    return shown(false, broken.atMs, nowMs - broken.atMs >= GAP_MS ? lasts : entry.gap);
  }

  private keep(node: string, entry: Entry): void {
    this.byNode.delete(node);
    this.byNode.set(node, entry);
    const [oldest] = this.byNode.keys();
    if (this.byNode.size > NODES_KEPT && oldest !== undefined) this.byNode.delete(oldest);
  }
}

const shown = (isOpen: boolean, sinceMs: number, gap: StreamGap | undefined): AgentStream => ({
  isOpen,
  sinceMs,
  ...(gap === undefined ? {} : { gap }),
});
