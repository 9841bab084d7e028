/**
 * Checks promises on a thread of its own, within a stated part of a core: a plane with promises
 * decides as fast as one without. The thread rests between two promises, and its memory is bounded.
 */
import { isMainThread, parentPort, type Worker, workerData } from "node:worker_threads";
import type { ObjectKey, Revision } from "../core/model/ids.ts";
import type { AnyObject } from "../core/model/objects.ts";
import { startThread } from "../host/start-thread.ts";
import { Pacer } from "./pacer.ts";
import { PromiseChecker } from "./promise-checker.ts";
import { PROMISE_LIMITS } from "./promise-limits.ts";
import type { CheckedRound, PromiseCheck } from "./promise-standing.ts";

/** What the thread is told. */
export type ToChecker =
  | {
      readonly kind: "follow";
      readonly changed: readonly AnyObject[];
      readonly gone: readonly ObjectKey[];
    }
  | { readonly kind: "check"; readonly revision: Revision };

/** What it tells. */
export type FromChecker =
  | { readonly kind: "checked"; readonly check: PromiseCheck }
  /** Its runs of the twin are still to come. */
  | { readonly kind: "seen"; readonly round: CheckedRound }
  | { readonly kind: "round"; readonly round: CheckedRound };

/** Marks a thread as ours: tests run on threads too. */
const PROMISES_OF_THREAD = "berth-promises";

export interface PromiseThread {
  send(message: ToChecker): void;
  end(): Promise<unknown>;
}

export function startPromiseThread(
  onMessage: (message: FromChecker) => void,
  onEnd: (error: Error) => void,
): PromiseThread {
  const own = new URL(import.meta.url);
  const limits = { maxOldGenerationSizeMb: PROMISE_LIMITS.threadMemoryMiB.value };
  const worker: Worker = startThread(own, { [PROMISES_OF_THREAD]: true }, limits);
  // A plane that stops does not wait for a check.
  worker.unref();
  let isEnded = false;
  worker.on("message", (message: FromChecker) => onMessage(message));
  worker.on("error", (error: Error) => {
    if (!isEnded) onEnd(error);
    isEnded = true;
  });
  return {
    send: (message) => worker.postMessage(message, []),
    end: () => {
      isEnded = true;
      return worker.terminate();
    },
  };
}

const nowMs = (): number => performance.now();

function serveThread(port: NonNullable<typeof parentPort>): void {
  const rests = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const sleep = (ms: number): void => void Atomics.wait(rests, 0, 0, ms);
  const workMillis = PROMISE_LIMITS.threadCoreMillis.value;
  const checker = new PromiseChecker(new Pacer({ workMillis, nowMs, sleep }), nowMs);
  const tell = (message: FromChecker): void => port.postMessage(message, []);
  port.on("message", (message: ToChecker) => {
    if (message.kind === "follow") checker.follow(message.changed, message.gone);
    else {
      const round = checker.check(message.revision, {
        onChecked: (check) => tell({ kind: "checked", check }),
        onSeen: (seen) => tell({ kind: "seen", round: seen }),
      });
      tell({ kind: "round", round });
    }
  });
}

const isOurs =
  !isMainThread &&
  typeof workerData === "object" &&
  workerData !== null &&
  PROMISES_OF_THREAD in workerData;
if (isOurs && parentPort !== null) serveThread(parentPort);
