import { once } from "node:events";
import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { aCommit } from "../../../test/builders/a-commit.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { readView } from "./read-view.ts";
import type { View } from "./view.ts";
import { ViewFeed } from "./view-feed.ts";
import type { ViewRow } from "./view-rows.ts";
import { ViewStream, type ViewStreamOf } from "./view-stream.ts";

/** A reader that takes a line only when it is told to. */
const ALL: ViewStreamOf["shown"] = { sees: () => true, row: (_, text) => text };

class AReader extends Writable {
  readonly lines: ALine[] = [];
  private readonly held: (() => void)[] = [];
  isSlow = false;
  /** Has taken a line before anybody else has a turn, as a socket with room has. */
  isEager = false;
  onLine: () => void = () => {};

  constructor() {
    super({ highWaterMark: 1 });
  }

  override _write(chunk: Buffer, _: unknown, done: () => void): void {
    this.lines.push(JSON.parse(chunk.toString()) as ALine);
    this.onLine();
    if (this.isSlow) this.held.push(done);
    else if (this.isEager) process.nextTick(done);
    else setImmediate(done);
  }

  take(): void {
    this.isSlow = false;
    for (const done of this.held.splice(0)) done();
  }
}

interface ALine {
  readonly type: string;
  readonly revision: number;
  readonly rows: readonly (readonly [string, number])[];
  readonly gone: readonly string[];
  readonly more: boolean;
}

/**
 * A view of numbers by name, on a plane that publishes when it is told to, told when it is told to.
 */
class AWorld {
  readonly numbers = new Map<string, number>();
  readonly failures: unknown[] = [];
  made = 0;
  isBroken = false;
  revision = 1;
  isLeading = true;
  listeners = 0;
  private publish: (commits: readonly Commit[], to: number) => void = () => {};
  private touched: string[] = [];
  private due: (() => void) | undefined;
  private readonly streams: ViewStream[] = [];
  readonly feed: ViewFeed;

  constructor() {
    const plane = Object.defineProperties(
      { isShared: true, isLeading: true, revision: 1 },
      {
        isLeading: { get: () => this.isLeading },
        revision: { get: () => this.revision },
      },
    );
    const onPublish = (publish: typeof this.publish): (() => void) => {
      this.publish = publish;
      this.listeners += 1;
      return () => void (this.listeners -= 1);
    };
    this.feed = new ViewFeed({
      name: "fleet",
      plane: Object.assign(plane, { onPublish }),
      clock: { nowMs: () => 7 },
      create: () => this.view(),
      needsLead: true,
      everyMs: 100,
      onFailure: (error) => this.failures.push(error),
      later: (act) => {
        this.due = act;
        return () => (this.due = undefined);
      },
    });
  }

  private view(): View {
    return {
      keys: () => [...this.numbers.keys()],
      row: (key) => {
        if (this.isBroken) throw new Error("This row cannot be made.");
        this.made += 1;
        const number = this.numbers.get(key);
        // Whatever the columns: a stream only hands rows on.
        return number === undefined ? undefined : ([key, number] as unknown as ViewRow);
      },
      touched: () => this.touched.splice(0),
    };
  }

  set(key: string, number: number | undefined): void {
    if (number === undefined) this.numbers.delete(key);
    else this.numbers.set(key, number);
    this.touched.push(key);
    this.revision += 1;
    this.publish([aCommit({ revision: this.revision })], this.revision);
  }

  leap(): void {
    this.revision += 10;
    this.publish([], this.revision);
  }

  /** The time has come to tell. */
  tell(): void {
    const { due } = this;
    this.due = undefined;
    due?.();
  }

  watch(reader: AReader, of: Partial<ViewStreamOf> = {}): ViewStream {
    const never = 1_000_000;
    const stream = new ViewStream(this.feed, {
      to: reader,
      slowMs: never,
      bookmarkEveryMs: never,
      timeoutMs: never,
      onClosed: () => {},
      shown: ALL,
      ...of,
    });
    this.streams.push(stream);
    return stream;
  }

  close(): void {
    for (const stream of this.streams) stream.end();
  }
}

let world = new AWorld();
afterEach(() => {
  world.close();
  world = new AWorld();
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await nextTurn();
}

const isIdle = (reader: AReader) => () => !reader.writableNeedDrain;

describe("the first table", () => {
  test("[AP181] comes in slices of at most 2,000 rows, with turns between, and what is touched meanwhile comes again", async () => {
    for (let at = 0; at < 5_000; at += 1) world.numbers.set(`n${at}`, 0);
    const reader = new AReader();
    world.watch(reader);
    expect(reader.lines).toHaveLength(1);
    expect(reader.lines[0]).toMatchObject({
      type: "table",
      view: "fleet",
      revision: 1,
      more: true,
    });
    // One that was sent, one that was not yet, one that is new and one that goes before it was ever
    // sent.
    for (const key of ["n0", "n4998", "new"]) world.set(key, 1);
    world.set("n4999", undefined);
    await until(() => reader.lines.at(-1)?.more === false);
    expect(Math.max(...reader.lines.map(({ rows }) => rows.length))).toBeLessThanOrEqual(2_000);
    const seen = reader.lines.flatMap(({ rows }) => rows);
    expect(new Set(seen.map(([key]) => key)).size).toBe(4_999);
    await until(isIdle(reader));
    world.tell();
    const last = reader.lines.at(-1);
    expect(last).toMatchObject({ type: "rows", gone: ["n4999"], more: false });
    expect(last?.rows).toEqual([
      ["n0", 1],
      ["n4998", 1],
      ["new", 1],
    ]);
  });

  test("[AP180] is whole and as of one revision for who does not watch", async () => {
    for (let at = 0; at < 3_000; at += 1) world.numbers.set(`n${at}`, 0);
    const reading = readView(world.feed, ALL);
    await nextTurn();
    world.set("n0", 1);
    world.set("n1", undefined);
    const { head, rows: texts } = await reading;
    const { rows, revision } = JSON.parse(`${head}${[...texts].join(",")}]}`) as ALine;
    expect(revision).toBe(3);
    expect(rows).toHaveLength(2_999);
    expect(rows[0]).toEqual(["n0", 1]);
    expect(world.listeners).toBe(0);
  });

  test("[AP181] leaves others their turns also when the reader takes every slice at once", async () => {
    for (let at = 0; at < 9_000; at += 1) world.numbers.set(`n${at}`, 0);
    let turn = 0;
    const count = (): void => {
      turn += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const reader = new AReader();
    reader.isEager = true;
    world.watch(reader);
    const at: number[] = [];
    reader.onLine = () => at.push(turn);
    await until(() => reader.lines.at(-1)?.more === false);
    clearImmediate(next);
    expect(at.length).toBeGreaterThanOrEqual(4);
    expect(new Set(at).size).toBe(at.length);
  });
});

describe("what changes", () => {
  test("[AP182] many changes of one row are one row in one message, made once for all who watch", async () => {
    const readers = [new AReader(), new AReader()];
    for (const reader of readers) world.watch(reader);
    for (const reader of readers) await until(isIdle(reader));
    for (let at = 1; at <= 50; at += 1) world.set("a", at);
    world.set("b", 1);
    world.set("b", undefined);
    world.made = 0;
    world.tell();
    expect(world.made).toBe(2);
    for (const { lines } of readers) {
      expect(lines).toHaveLength(2);
      expect(lines[1]).toMatchObject({ rows: [["a", 50]], gone: ["b"], more: false });
    }
  });

  test("[AP182] a slow reader finds the newest state of all it missed, in one message", async () => {
    const reader = new AReader();
    world.watch(reader);
    await until(isIdle(reader));
    reader.isSlow = true;
    world.set("a", 1);
    world.tell();
    for (let at = 2; at <= 100; at += 1) {
      world.set("a", at);
      world.set(`b${at % 3}`, at);
      world.tell();
    }
    world.set("b0", undefined);
    world.tell();
    expect(reader.lines).toHaveLength(2);
    reader.take();
    await until(isIdle(reader));
    world.tell();
    expect(reader.lines.slice(1).map(({ rows }) => rows)).toEqual([
      [["a", 1]],
      [
        ["a", 100],
        ["b2", 98],
        ["b1", 100],
      ],
    ]);
    expect(reader.lines.at(-1)).toMatchObject({ gone: ["b0"], revision: world.revision });
  });

  test("[AP182] a reader that takes nothing for too long is cut off, and is not kept in mind", async () => {
    const reader = new AReader();
    reader.isSlow = true;
    let isClosed = false;
    world.watch(reader, { slowMs: 5, onClosed: () => (isClosed = true) });
    await once(reader, "close");
    expect(isClosed).toBe(true);
    expect(reader.writableFinished).toBe(false);
    expect(world.listeners).toBe(0);
  });

  test("[AP181] a bookmark says how far it has come when nothing happens", async () => {
    const reader = new AReader();
    world.watch(reader, { bookmarkEveryMs: 1 });
    await until(() => reader.lines.length > 2);
    expect(reader.lines[1]).toEqual({ type: "bookmark", revision: 1, at: 7 });
  });
});

describe("the end", () => {
  test("[AP182] is a clean one when the server closes", async () => {
    const reader = new AReader();
    const stream = world.watch(reader);
    stream.end();
    await once(reader, "finish");
    expect(world.failures).toEqual([]);
  });

  test("[AP180] comes with the lead of the plane, if only that knows what the view shows", async () => {
    const reader = new AReader();
    world.watch(reader);
    await until(isIdle(reader));
    world.isLeading = false;
    world.set("a", 1);
    world.tell();
    await once(reader, "finish");
    expect(reader.lines).toHaveLength(1);
  });

  test("[AP182] comes when commits were passed over, and when a row cannot be made", async () => {
    const [leapt, failed] = [new AReader(), new AReader()];
    world.watch(leapt);
    world.leap();
    await once(leapt, "finish");
    world.watch(failed);
    await until(isIdle(failed));
    world.isBroken = true;
    world.set("a", 1);
    world.tell();
    await once(failed, "finish");
    expect(world.failures).toHaveLength(1);
  });
});
