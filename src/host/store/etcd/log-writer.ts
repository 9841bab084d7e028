/**
 * Appends batches, one after the other in the order they came. A batch counts from the transaction
 * that writes its key and moves the head; parts of a large one are written before and mean nothing
 * without it.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Epoch, Revision } from "../../../core/model/ids.ts";
import { EtcdUnknown } from "../../etcd/etcd-api.ts";
import { encodeBatch } from "../batch-encoding.ts";
import { type ChainHash, hashOf, linked } from "../chain-link.ts";
import { assertBatch, assertContinues } from "../log-rules.ts";
import type { AppendResult } from "../log-store.ts";
import type { Attempts } from "./attempts.ts";
import {
  type BatchLine,
  decodeValue,
  encodeValue,
  lineOf,
  PART_BYTES,
  splitBody,
} from "./batch-value.ts";
import type { ChainTip } from "./chain-tip.ts";
import { pack, type Packed } from "./compression.ts";
import { damaged } from "./etcd-log-errors.ts";
import type { Held, Leadership } from "./leadership.ts";
import type { Family, LogLayout } from "./log-layout.ts";
import type { LogReader } from "./log-reader.ts";
import { type Head, headValue } from "./stored-values.ts";

const NO_BODY = new Uint8Array();

/** A batch ready to be sent, if it hangs on what it was made to hang on. */
interface Made {
  readonly link: ChainHash | undefined;
  readonly hash: ChainHash;
  readonly packed: Promise<Packed>;
}

/** What is to be written, and the hash of its body as it was before it was packed. */
interface Landing {
  readonly before: Head;
  readonly line: BatchLine;
  readonly body: Uint8Array;
  readonly hash: ChainHash;
}

export class LogWriter {
  private readonly layout: LogLayout;
  private readonly reader: LogReader;
  private readonly leadership: Leadership;
  private readonly attempts: Attempts;
  private readonly tip: ChainTip;
  private last: Promise<unknown> = Promise.resolve();
  /**
   * The batch that was made last, whether or not it has landed: the next one most likely hangs on
   * it.
   */
  private made: { readonly end: Revision; readonly hash: ChainHash } | undefined;
  /**
   * Where the log ends, for the epoch it is known for; nothing after an append with an unknown
   * outcome.
   */
  private end: { readonly epoch: Epoch; readonly head: Head } | undefined;

  constructor(of: {
    layout: LogLayout;
    reader: LogReader;
    leadership: Leadership;
    attempts: Attempts;
    tip: ChainTip;
  }) {
    this.layout = of.layout;
    this.reader = of.reader;
    this.leadership = of.leadership;
    this.attempts = of.attempts;
    this.tip = of.tip;
  }

  append(epoch: Epoch, commits: readonly Commit[]): Promise<AppendResult> {
    const body = commits.length === 0 ? undefined : encodeBatch(commits);
    // Packed at once, while the one before is still on its way.
    const first = commits[0]?.revision ?? 0;
    const isNext = body !== undefined && this.made?.end === first - 1;
    const early = isNext ? makeOf(this.made?.hash, body) : undefined;
    this.made = early && { end: first + commits.length - 1, hash: early.hash };
    const done = this.last.then(() => this.appendNow(epoch, commits, { body, early }));
    this.last = done.catch(() => {});
    return done;
  }

  /** Known from a take, which reads it in the same transaction. */
  beginsAt(epoch: Epoch, head: Head): void {
    this.end = { epoch, head };
  }

  private async appendNow(
    epoch: Epoch,
    commits: readonly Commit[],
    { body, early }: { readonly body: Uint8Array | undefined; readonly early: Made | undefined },
  ): Promise<AppendResult> {
    assertBatch(epoch, commits);
    const { held } = this.leadership;
    const first = commits[0]?.revision;
    if (held?.epoch !== epoch) return this.turnedAway(epoch, commits);
    if (first === undefined || body === undefined) {
      const { done } = await this.leadership.write(held, []);
      return done ? "durable" : "fenced";
    }
    const head = this.end?.epoch === epoch ? this.end.head : undefined;
    if (head === undefined || first !== head.revision + 1) {
      const asked = await this.leadership.ask(epoch);
      if (asked.fenced) return "fenced";
      assertContinues(asked.head.revision, commits);
      this.end = { epoch, head: asked.head };
    }
    const last = first + commits.length - 1;
    // What it was made to hang on may never have landed.
    const link = await this.tip.hashAt((this.end as { readonly head: Head }).head);
    const made = early !== undefined && early.link === link ? early : makeOf(link, body);
    if ((this.made?.end ?? 0) <= last) this.made = { end: last, hash: made.hash };
    const { packed, hash } = made;
    return this.land(held, { first, last, epoch }, { ...(await packed), hash });
  }

  private async land(
    held: Held,
    of: Pick<BatchLine, "first" | "last" | "epoch">,
    packed: Packed & { readonly hash: ChainHash },
  ): Promise<AppendResult> {
    // Known by now: the caller has asked for it otherwise.
    const before = (this.end as { readonly head: Head }).head;
    const line = lineOf(before, of, packed);
    const landing = { before, line, body: packed.body, hash: packed.hash };
    return packed.body.length <= PART_BYTES
      ? this.commit(held, landing)
      : this.landInParts(held, landing);
  }

  private async landInParts(
    held: Held,
    { before, line, body, hash }: Landing,
  ): Promise<AppendResult> {
    const attempt = this.attempts.begin(held.epoch);
    let result: AppendResult = "fenced";
    try {
      const count = await this.writeParts(held, { revision: line.first, ...attempt }, body);
      const parts = { attempt: attempt.attempt, count };
      const whole = { before, line: { ...line, parts }, body: NO_BODY, hash };
      if (count > 0) result = await this.commit(held, whole);
    } finally {
      // Otherwise something may refer to the parts yet.
      if (result !== "unknown") this.attempts.settle(attempt);
    }
    return result;
  }

  /** How many there are; 0 when this plane leads no more. */
  private async writeParts(held: Held, family: Family, body: Uint8Array): Promise<number> {
    const bodies = splitBody(body);
    for (const [at, value] of bodies.entries()) {
      const put = { kind: "put", key: this.layout.part(family, at), value } as const;
      // Whether a part whose answer is lost got there does not matter: nothing will refer to this
      // attempt.
      const { done } = await this.leadership.write(held, [put]);
      if (!done) return 0;
    }
    return bodies.length;
  }

  /**
   * The step that makes the batch part of the log: it is the next one of the plane that leads, or
   * it is nothing.
   */
  private async commit(held: Held, { before, line, body, hash }: Landing): Promise<AppendResult> {
    const { head: key } = this.layout;
    const next = { revision: line.last, checksum: line.checksum };
    try {
      const written = await this.leadership.writeGuarded(
        held,
        [
          { kind: "put", key: this.layout.batch(line.first), value: encodeValue(line, body) },
          { kind: "put", key, value: headValue(next) },
        ],
        [{ key, value: headValue(before) }],
      );
      if (!written.done && !(await this.isThere(line))) return this.refused(written, before);
    } catch (error) {
      if (!(error instanceof EtcdUnknown)) throw error;
      this.end = undefined;
      return "unknown";
    }
    this.tip.landed(line.checksum, hash);
    this.end = { epoch: held.epoch, head: next };
    return "durable";
  }

  /** An earlier try of the same transaction, whose answer was lost, has done it. */
  private async isThere({ first, checksum }: BatchLine): Promise<boolean> {
    const { ranges } = await this.reader.look({ key: this.layout.batch(first) });
    const kv = ranges[0]?.kvs[0];
    return kv !== undefined && decodeValue(kv.value)?.line.checksum === checksum;
  }

  private refused(
    found: { readonly fenced: boolean; readonly head: Head },
    before: Head,
  ): "fenced" {
    if (found.fenced) return "fenced";
    throw damaged(
      this.layout.text(this.layout.head),
      `the log ends at revision ${found.head.revision} (${found.head.checksum}), but the leader wrote up to ${before.revision} (${before.checksum})`,
    );
  }

  private async turnedAway(epoch: Epoch, commits: readonly Commit[]): Promise<AppendResult> {
    const { fenced, head } = await this.leadership.ask(epoch);
    if (!fenced) assertContinues(head.revision, commits);
    return "fenced";
  }
}

function makeOf(link: ChainHash | undefined, body: Uint8Array): Made {
  const whole = linked(link, body);
  const packed = pack(whole);
  // Said when its turn comes.
  packed.catch(() => {});
  return { link, hash: hashOf(whole), packed };
}
