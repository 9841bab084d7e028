/**
 * What one workload, one tenant and one node may put on others: how many objects and replicas, and
 * how fast a node starts processes. Bounds of the first kind are checked at commit; a Node or a
 * Quota may state its own number.
 */
import type { Limit } from "./limit.ts";

export const LOAD_LIMITS = {
  nodeReplicas: {
    value: 250,
    unit: "count",
    of: "replicas on a node whose spec sets no `maxReplicas`",
    beyond: "the replica waits for another node: `node-full`",
    why: "each costs its node a guard that wakes once a second; 250 of them take a quarter of a core",
  },
  tenantReplicas: {
    value: 20_000,
    unit: "count",
    of: "replicas that the workloads of a tenant request, unless its quota sets `counts.replicas`",
    beyond: "409 `tenant-full`",
    why: "forty times what a large tenant runs; one tenant cannot fill the plane's memory",
  },
  tenantWorkloads: {
    value: 5_000,
    unit: "count",
    of: "workloads of a tenant, unless its quota sets `counts.workloads`",
    beyond: "409 `tenant-full`",
    why: "lists of one tenant stay a few megabytes",
  },
  tenantObjects: {
    value: 5_000,
    unit: "count",
    of: "objects of one kind of a tenant, unless its quota sets `counts.objects`",
    beyond: "409 `tenant-full`",
    why: "as many as workloads: one of each kind for each of them",
  },
  tenantLeaderLeases: {
    value: 200,
    unit: "count",
    of: "LeaderLeases of a tenant",
    beyond: "409 `tenant-full`",
    why: "a controller has one or two; all of them go in one commit with their tenant",
  },
  tenantCommitments: {
    value: 200,
    unit: "count",
    of: "Commitments of a tenant",
    beyond: "409 `tenant-full`",
    why: "a team makes a dozen; all of them go in one commit with their tenant",
  },
  countsMost: {
    value: 10_000_000,
    unit: "count",
    of: "a count that a quota sets",
    beyond: "422 `bad-object`",
    why: "ten times the largest measured plane",
  },
  workloadReplicas: {
    value: 100_000,
    unit: "count",
    of: "replicas of one workload, or completions of one job",
    beyond: "422 `invalid-object`; of a command `bad-object`",
    why: "each replica is an object of its own, and a tenth of the largest plane that was measured",
  },
  startsPerSecond: {
    value: 20,
    unit: "per second",
    of: "processes that an agent starts",
    beyond: "the start waits its turn (`start-rate`); tenants take turns",
    why: "a start costs an agent up to ten milliseconds, so the rest of its second is free for leases and probes",
  },
  startsAtOnce: {
    value: 32,
    unit: "count",
    of: "starts that an idle agent makes before the pace counts",
    beyond: "the start waits its turn (`start-rate`)",
    why: "a node that takes over the work of another of usual size does so at once",
  },
  startsUnderWay: {
    value: 32,
    unit: "count",
    of: "starts of an agent whose process has neither begun nor failed",
    beyond: "the start waits its turn (`start-rate`)",
    why: "as many as may begin at once",
  },
  startPatienceMs: {
    value: 10_000,
    unit: "ms",
    of: "the time for which a start counts as under way",
    beyond: "the start no longer holds a place among those under way",
    why: "a start that hangs must not block the others of its node",
  },
  probeFirstMs: {
    value: 5_000,
    unit: "ms",
    of: "the time for which probes of a starting process fail before its agent reports it",
    beyond: "the replica's status says what the probe found, how often and since when",
    why: "most processes are ready by then, and their start costs no further commit",
  },
  probeChangedMs: {
    value: 10_000,
    unit: "ms",
    of: "the time between two reports of failing probes that found something different",
    beyond: "the agent reports the latest finding",
    why: "as often as a replica that flaps is reported ready and not ready",
  },
  probeAgainMs: {
    value: 300_000,
    unit: "ms",
    of: "the time between two reports of failing probes that found the same",
    beyond: "the agent reports how many have failed by now",
    why: "as seldom as a crash loop restarts; 20,000 such replicas are 67 commits a second",
  },
  stallMs: {
    value: 5_000,
    unit: "ms",
    of: "the time for which a plane may stall before its nodes get their full lease time again",
    beyond: "no node is fenced for a silence that began before the stall ended",
    why: "one renewal; a shorter stall leaves a node two more before it is fenced",
  },
} as const satisfies Readonly<Record<string, Limit>>;
