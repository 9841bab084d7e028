/** Every bound that an agent and its driver keep; `docs/limits.md` is generated from it. */
import type { Limit } from "../core/model/limits/limit.ts";

const MIB = 2 ** 20;

export const AGENT_LIMITS = {
  processesPerReplica: {
    value: 1_024,
    unit: "count",
    of: "processes and threads of one replica, its exec probes included",
    beyond: "fork fails with EAGAIN",
    why: "room for a large thread pool; a fork bomb stays a small part of the machine's process ids",
  },
  leastMemoryBytes: {
    value: MIB,
    unit: "bytes",
    of: "memory of a replica that requests none",
    beyond: "the kernel kills the replica, and its failure reports it",
    why: "the smallest request; a replica without a request must not take all memory",
  },
  logBytes: {
    value: 10 * MIB,
    unit: "bytes",
    of: "one log file of a replica; each stream has the current file and the previous one",
    beyond: "the current file becomes the previous one, and the older one is removed",
    why: "an hour of a talkative service",
  },
  logPauseMs: {
    value: 200,
    unit: "ms",
    of: "the pause of a log's writer after each full file",
    beyond: "the replica waits in its own write",
    why: "a stream costs at most 50 MiB/s of disk; thousands of tiny writes a second cost a sixth of a core",
  },
  logMarks: {
    value: 65_536,
    unit: "count",
    of: "times that are kept of the lines of one log file; 2 MiB at most",
    beyond: "the current file becomes the previous one, as if it were full",
    why: "a time for each line of 160 bytes in a full file; a log of shorter lines keeps its last hours",
  },
  endedKept: {
    value: 20,
    unit: "count",
    of: "ended processes of a node whose logs are kept",
    beyond: "the oldest are removed",
    why: "enough to look into a crash loop",
  },
  probesAtOnce: {
    value: 256,
    unit: "count",
    of: "concurrent probes of a node; one namespace may have a quarter",
    beyond: "the probe waits for its turn",
    why: "each may be a process or a socket; one namespace's slow probes leave room for the others'",
  },
  logReaders: {
    value: 32,
    unit: "count",
    of: "logs of a node being read",
    beyond: "the reader is rejected",
    why: "more readers at once are an accident, and processes come first",
  },
  sessions: {
    value: 32,
    unit: "count",
    of: "sessions (exec and port-forward) with replicas of a node",
    beyond: "the session is rejected",
    why: "as many as a plane allows; the agent keeps the bound also against a plane that does not",
  },
  requestsUnderWay: {
    value: 16,
    unit: "count",
    of: "an agent's requests in progress, lease renewals not counted",
    beyond: "the request waits for its turn",
    why: "a plane answers thousands a second over as many connections",
  },
  requestsWaiting: {
    value: 1_024,
    unit: "count",
    of: "an agent's waiting requests",
    beyond: "the request is answered `unavailable` and its sender backs off",
    why: "four for each replica that a node takes",
  },
  filesPerReplica: {
    value: 256,
    unit: "count",
    of: "private files of a replica (tokens and secrets)",
    beyond: "the replica does not start, and its failure reports it",
    why: "they are memory of the node that no limit of the replica counts",
  },
  fileBytesPerReplica: {
    value: MIB,
    unit: "bytes",
    of: "private files of a replica together",
    beyond: "the replica does not start, and its failure reports it",
    why: "as much as Kubernetes allows one secret; 256 replicas hold a quarter of a GiB",
  },
  looksAtOnce: {
    value: 64,
    unit: "count",
    of: "processes whose files an agent reads in one turn",
    beyond: "the others are read in the next turn, 20 ms later",
    why: "some milliseconds, so that other work does not wait long",
  },
} as const satisfies Readonly<Record<string, Limit>>;
