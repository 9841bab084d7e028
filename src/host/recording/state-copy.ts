/**
 * The state that a chapter begins with, written beside everything else: a piece in each turn of the
 * event loop, since a plane that has just taken over must answer, and renew its lease, while a
 * million objects become text. What a snapshot holds never changes, so it may be written later than
 * it was taken. The file has its name once it is whole.
 */
import { renameSync, rmSync } from "node:fs";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { CopyTo } from "../store/log-store.ts";
import { snapshotChunks } from "../store/snapshot-chunks.ts";
import { ClaimCopy } from "./claim-copy.ts";

/** Of a copy that is being written, or that a killed plane has left. */
export const UNFINISHED = ".part";

export class StateCopy {
  private readonly path: string;
  private readonly copy: ClaimCopy;
  private readonly chunks: Generator<Uint8Array>;
  private readonly onDone: (bytes: number | undefined) => void;
  private turn: NodeJS.Immediate | undefined;

  constructor(snapshot: Snapshot, to: CopyTo, onDone: (bytes: number | undefined) => void) {
    this.path = to.path;
    this.onDone = onDone;
    this.copy = new ClaimCopy({ ...to, path: `${to.path}${UNFINISHED}` });
    const { revision, epoch, leadSinceMs } = snapshot;
    this.copy.add({ kind: "head", head: { revision, epoch, leadSinceMs } });
    this.chunks = snapshotChunks(snapshot);
    this.goOn();
  }

  /** All that is left, now: no caller waits for the plane any more. */
  finish(): void {
    if (this.turn === undefined) return;
    clearImmediate(this.turn);
    while (this.writeOne());
    this.end();
  }

  private goOn(): void {
    this.turn = setImmediate(() => {
      if (this.writeOne()) this.goOn();
      else this.end();
    });
  }

  private writeOne(): boolean {
    const { value, done } = this.chunks.next();
    if (done === true) return false;
    this.copy.add({ kind: "chunk", body: value });
    return true;
  }

  private end(): void {
    this.turn = undefined;
    const bytes = this.copy.finish();
    if (bytes === undefined) rmSync(`${this.path}${UNFINISHED}`, { force: true });
    else renameSync(`${this.path}${UNFINISHED}`, this.path);
    this.onDone(bytes);
  }
}
