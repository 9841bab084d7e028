/**
 * What the end of a process means for its replica, and how it is put into words. Who was told to
 * go, or was killed by its leash, did not fail; neither did one that an agent stopped because it
 * was itself told to stop.
 */
import type { ProcessEvent } from "../kernel/component.ts";
import type { Replica } from "../model/objects.ts";
import type { Process } from "./process-table.ts";

export interface Ending {
  readonly stage: "succeeded" | "failed" | "released";
  /** For people. */
  readonly reason: string;
  readonly wasStable: boolean;
  /** The machine cannot take it: nothing was started. */
  readonly rejected?: true;
}

/**
 * Twice the longest delay between two incarnations: what has been ready for so long is not in a
 * crash loop, and its next failure is a first one again (ST4). On the agent's own clock, and from
 * its adoption if it was adopted.
 */
export const STABLE_MS = 600_000;

/** Nothing of it is running, and no driver has told of its end. */
export const UNSEEN: Ending = {
  stage: "failed",
  reason: "its process is gone; its exit code is unknown",
  wasStable: false,
};

const ON_REQUEST = "its process stopped on request";

export function endingOf(
  process: Process,
  event: Extract<ProcessEvent, { readonly kind: "exited" }>,
  at: { readonly nowMs: number; readonly isLeaseHeld: boolean },
): Ending {
  const wasStable = at.nowMs - process.readySinceMs >= STABLE_MS;
  const { code, reason = codeText(code) } = event;
  if (process.phase === "stopping" || event.onRequest === true) {
    return { stage: "released", reason: event.reason ?? ON_REQUEST, wasStable };
  }
  if (process.leashed && !at.isLeaseHeld) {
    return {
      stage: "released",
      reason: "its node's lease expired, so the agent stopped its process",
      wasStable,
    };
  }
  return { stage: code === 0 ? "succeeded" : "failed", reason, wasStable };
}

/** Codes above this are how a shell says which signal ended a process. */
const SIGNALS_FROM = 128;

/** The signals that end processes by themselves; Linux numbers them so on all usual machines. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};

/** What shells mean by these codes. */
const CODES: Readonly<Record<number, string>> = {
  126: " (its command is not executable)",
  127: " (its command was not found)",
};

function codeText(code: number): string {
  const signal = code - SIGNALS_FROM;
  const name = SIGNALS[signal] === undefined ? "" : `, ${SIGNALS[signal]}`;
  const means = signal > 0 ? ` (signal ${signal}${name})` : (CODES[code] ?? "");
  return `its process ended with exit code ${code}${means}`;
}

export function finalWord(replica: Replica, ending: Ending): Ending {
  if (replica.status.stopping !== undefined) return { ...ending, stage: "released" };
  // A service that ends by itself has failed, whatever its exit code says.
  if (ending.stage === "succeeded" && replica.spec.type === "service") {
    return { ...ending, stage: "failed" };
  }
  return ending;
}
