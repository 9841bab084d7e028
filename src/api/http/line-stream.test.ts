import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { WatchBounds } from "../bounds/watch-bounds.ts";
import { commitLines } from "../watch/commit-lines.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { LineStream } from "./line-stream.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";

/** Takes everything at once, unless it is told to be slow. */
class Taken extends EventEmitter {
  readonly lines: string[] = [];
  readonly socket = null;
  destroyed = false;
  isEnded = false;
  writableNeedDrain = false;

  write(line: Buffer): boolean {
    this.lines.push(String(line));
    return !this.writableNeedDrain;
  }
  end(): void {
    this.isEnded = true;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

function aStream(of: { readonly first?: Iterator<Buffer>; readonly bounds?: WatchBounds }) {
  const response = new Taken();
  const lines = new LineStream({
    response: response as unknown as ServerResponse,
    limits: { ...DEFAULT_LIMITS, turnItems: 3, turnBytes: 100 },
    bounds: of.bounds ?? new WatchBounds(DEFAULT_LIMITS),
    caller: "ana",
    first: of.first ?? [].values(),
    tooSlow: () => Buffer.from("too slow"),
    onClosed: () => {},
  });
  return { response, lines };
}

const texts = function* (count: number, text = "x"): Generator<Buffer> {
  for (let at = 0; at < count; at += 1) yield Buffer.from(text);
};
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("LineStream", () => {
  it("[HB9] first lines are made so many in a turn, also for a reader that takes all, and news comes after", async () => {
    const { response, lines } = aStream({ first: texts(7) });
    lines.pump();
    // As node does when the socket has taken everything within the turn.
    for (let at = 0; at < 5; at += 1) response.emit("drain");
    expect(response.lines).toHaveLength(3);
    lines.send(Buffer.from("news"));
    lines.end();
    await nextTurn();
    expect(response.lines).toHaveLength(6);
    await nextTurn();
    expect(response.lines.slice(6)).toEqual(["x", "news"]);
    expect(response.isEnded).toBe(true);
  });

  it("[HB9] first lines are made so many bytes in a turn", async () => {
    const { response, lines } = aStream({ first: texts(4, "y".repeat(60)) });
    lines.pump();
    expect(response.lines).toHaveLength(2);
    await nextTurn();
    expect(response.lines).toHaveLength(4);
  });

  it("[HB9] the reader that is furthest behind is ended when all have too much waiting", () => {
    const bounds = new WatchBounds({ ...DEFAULT_LIMITS, watchBytes: 100 });
    const [slow, slower] = [aStream({ bounds }), aStream({ bounds })];
    slow.response.writableNeedDrain = true;
    slower.response.writableNeedDrain = true;
    slow.lines.send(Buffer.from("a".repeat(30)));
    slower.lines.send(Buffer.from("b".repeat(60)));
    slow.lines.send(Buffer.from("c".repeat(20)));
    expect([slow.lines.isOpen, slower.lines.isOpen]).toEqual([true, false]);
    expect(bounds.bytes).toBe(50);
    slower.response.writableNeedDrain = false;
    slower.response.emit("drain");
    expect(slower.response.lines).toEqual(["too slow"]);
    slower.response.emit("close");
    slow.response.emit("close");
    expect(bounds.bytes).toBe(0);
  });
});

describe("commitLines()", () => {
  it("[HB9] an agent that missed much is told in several lines, each with how far it goes", () => {
    const commits = [3, 5, 9].map((revision) => ({ revision, changes: [] }) as unknown as Commit);
    const told = [...commitLines(commits, { to: 12, epoch: 2, bytes: 40 })];
    const lines = told.map(
      (line) =>
        JSON.parse(String(line)) as {
          readonly commits: readonly Commit[];
          readonly to: number;
          readonly epoch: number;
        },
    );
    expect(lines.map(({ to }) => to)).toEqual([5, 12]);
    expect(lines.flatMap((line) => line.commits)).toEqual(commits);
    const [only] = [...commitLines([], { to: 7, epoch: 2, bytes: 40 })].map(String);
    expect(only).toBe('{"commits":[],"to":7,"epoch":2}\n');
  });
});
