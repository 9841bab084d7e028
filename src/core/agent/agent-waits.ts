/**
 * What an agent waits for besides its own writes: the end of a process, a turn to start one, and
 * the right to run any.
 */
import { type Decision, type Look, wait } from "../protocol/decision.ts";

/** Exits and renewals are told; this is for the one that was not. */
const PATIENCE_MS = 5_000;

export const awaitStop = (look: Look): Decision =>
  wait({
    reason: "stopping",
    wakes: [],
    deadlineMs: look.now + PATIENCE_MS,
    because: { summary: "the process is being stopped" },
  });

export const awaitTurn = (look: Look): Decision =>
  wait({
    reason: "start-rate",
    wakes: [],
    deadlineMs: look.now + PATIENCE_MS,
    because: { summary: "the node limits process starts per second; this start waits its turn" },
  });

export const awaitLease = (look: Look): Decision =>
  wait({
    reason: "no-lease",
    wakes: [],
    deadlineMs: look.now + PATIENCE_MS,
    because: { summary: "the node may start nothing until its lease is renewed" },
  });
