/** What must hold between the fields of a workload (OB5, BA7, RV1, DC4), in both of its forms. */
import type { WorkloadSpec } from "../model/objects.ts";
import { isPercentage, percentsOf } from "../model/text/percentage.ts";
import { INDEXES_PER_COMMAND } from "../protocol/command.ts";
import type { Where } from "./fields/placement-fields.ts";
import type { WrittenTemplate } from "./fields/template-fields.ts";
import type { WorkloadParts } from "./fields/workload-fields.ts";
import type { BrokenRule, Rule } from "./kind-definition.ts";

/** The parts that both forms have; people may leave the replicas out. */
type Workload = WorkloadParts & Pick<WorkloadSpec, "type"> & { readonly replicas?: number };
type WorkloadRule = Rule<Workload>;

const sentence = (found: string | number, expected: string): string =>
  `found ${found}; expected ${expected}.`;

const batchOfService: WorkloadRule = ({ type, batch }) => {
  if (batch === undefined || type === "batch") return undefined;
  const expected = "on type: batch";
  return {
    field: "batch",
    found: "on a service",
    expected,
    message: sentence("on a service", expected),
  };
};

const replicasBesideBatch: WorkloadRule = ({ replicas, batch }) => {
  if (batch === undefined || replicas === undefined) return undefined;
  const { completions } = batch;
  if (replicas === completions) return undefined;
  const how = "completions sets the number of indexes, parallelism how many run at once";
  return {
    field: "replicas",
    found: replicas,
    expected: `${completions}, the completions`,
    message: `found ${replicas} beside spec.batch.completions ${completions}; omit it: ${how}.`,
  };
};

/** A disruption budget is counted in replicas that serve, of all that are desired at once. */
const disruptionOfBatch: WorkloadRule = ({ batch, disruption }) => {
  if (batch === undefined || disruption === undefined) return undefined;
  const [found, expected] = ["beside spec.batch", "on workloads without batch"];
  return { field: "disruption", found, expected, message: sentence(found, expected) };
};

/** A gang runs whole: fewer than all at once, or without one that was given up, it never would. */
const partOfGang: WorkloadRule = ({ batch, gang }) => {
  if (batch === undefined || gang === undefined) return undefined;
  const { completions, parallelism = 1 } = batch;
  if (parallelism >= completions) return undefined;
  const expected = `${completions}, the completions: a gang runs as a whole`;
  return { field: "batch.parallelism", found: parallelism, expected };
};

const retriesInGang: WorkloadRule = ({ batch, gang }) => {
  if (gang === undefined || batch?.perIndexRetries === undefined) return undefined;
  const expected = "backoffLimit: a gang does not run with a member missing";
  const message = sentence("on a gang", expected);
  return { field: "batch.perIndexRetries", found: "on a gang", expected, message };
};

/** A gang is bound by one command. Scaled to nothing it is paused, like any other workload. */
const largeGang: WorkloadRule = ({ gang, batch, replicas = batch?.completions ?? 1 }) => {
  if (gang === undefined || replicas <= INDEXES_PER_COMMAND) return undefined;
  const expected = `at most ${INDEXES_PER_COMMAND} replicas in a gang, which starts in one step`;
  return { field: "replicas", found: replicas, expected };
};

/**
 * A batch has nothing that serves, and a gang starts and comes back whole: neither rolls out or
 * recovers replica by replica.
 */
const ofServicesAlone =
  (field: "rollout" | "recovery"): WorkloadRule =>
  (workload) => {
    if (workload[field] === undefined) return undefined;
    if (workload.type === "service" && workload.gang === undefined) return undefined;
    const found = workload.type === "batch" ? "on a batch" : "on a gang";
    const expected = "on a service without gang";
    return { field, found, expected, message: sentence(found, expected) };
  };

const moreThanAll: WorkloadRule = ({ rollout }) => {
  const found = rollout?.maxUnavailable;
  return isPercentage(found) && percentsOf(found) > 100
    ? { field: "rollout.maxUnavailable", found, expected: "at most 100%" }
    : undefined;
};

/** With neither, nothing may be begun before something ended, and the other way round. */
const nothingMoves: WorkloadRule = ({ rollout }) => {
  if (rollout === undefined) return undefined;
  const { maxSurge, maxUnavailable } = rollout;
  const bounds = [maxSurge, maxUnavailable];
  if (bounds.some((bound) => Number.parseInt(String(bound), 10) > 0)) return undefined;
  const expected = "1 or more of one of them";
  const message = sentence(`${maxSurge} with maxUnavailable ${maxUnavailable}`, expected);
  return { field: "rollout.maxSurge", found: maxSurge, expected, message };
};

const stepsThatShrink: WorkloadRule = ({ rollout }) => {
  const { steps = [] } = rollout ?? {};
  const before = (at: number): number => steps[at - 1]?.replicas ?? 0;
  const at = steps.findIndex(({ replicas }, step) => replicas <= before(step));
  return at < 0
    ? undefined
    : {
        field: `rollout.steps[${at}].replicas`,
        found: steps[at]?.replicas ?? 0,
        expected: `more than ${before(at)}`,
      };
};

export const WORKLOAD_RULES: readonly WorkloadRule[] = [
  batchOfService,
  replicasBesideBatch,
  disruptionOfBatch,
  partOfGang,
  retriesInGang,
  largeGang,
  ofServicesAlone("rollout"),
  moreThanAll,
  nothingMoves,
  stepsThatShrink,
  ofServicesAlone("recovery"),
];

export function recoveryElsewhere(
  { recovery }: Workload,
  { regions: allowed }: Where,
): BrokenRule | undefined {
  const { regions = [] } = recovery ?? {};
  const at = regions.findIndex((region) => allowed.length > 0 && !allowed.includes(region));
  if (at < 0) return undefined;
  const found = regions[at] ?? "";
  const expected = `one of the regions of its placement: ${allowed.join(", ")}`;
  return {
    field: `recovery.regions[${at}]`,
    found,
    expected,
    message: sentence(found, expected),
  };
}

/** A batch that is run twice has done its work twice, and a gang with one too many is no gang. */
export function keptAndReplaced(
  { type, gang }: Workload,
  template: Pick<WrittenTemplate, "onDisconnect" | "replaceAfterMs">,
  field: string,
): BrokenRule | undefined {
  const { onDisconnect, replaceAfterMs } = template;
  if (replaceAfterMs === undefined || onDisconnect === "stop") return undefined;
  if (type === "batch") return { field, found: type, expected: "a service, to keep and replace" };
  return gang && { field, found: "a gang", expected: "no gang, to keep and replace" };
}

/** A replica of a batch that ran has done its work: run again, it would do it twice (RO90). */
export function restartOfBatch(
  { type }: Workload,
  { restartedAt }: Pick<WrittenTemplate, "restartedAt">,
  field: string,
): BrokenRule | undefined {
  if (restartedAt === undefined || type === "service") return undefined;
  const expected = "on a service: to run a batch again, delete it and apply it again";
  return { field, found: "on a batch", expected, message: sentence("on a batch", expected) };
}

export const emptyProgram = ({ run }: WrittenTemplate): BrokenRule | undefined =>
  run.command[0] === ""
    ? {
        field: "run.command[0]",
        found: "(none)",
        expected: "a program",
        message: "is empty; expected a program.",
      }
    : undefined;

export function severalProbes({ probes }: WrittenTemplate): BrokenRule | undefined {
  if (probes?.ready === undefined) return undefined;
  const { http, tcp, exec } = probes.ready;
  const given = Object.entries({ http, tcp, exec }).filter(([, action]) => action !== undefined);
  if (given.length === 1) return undefined;
  const found = given.map(([kind]) => kind).join(" and ") || "none";
  const expected = "exactly one of http, tcp and exec";
  return { field: "probes.ready", found, expected, message: sentence(found, expected) };
}

export function metricsOfNoPort({ metrics, run }: WrittenTemplate): BrokenRule | undefined {
  const { ports = [] } = run;
  if (metrics === undefined || metrics.port !== undefined || ports.length === 1) return undefined;
  const found = ports.join(", ") || "none";
  const expected = "the name of one, or a single port in spec.run.ports";
  const message = `left out, and spec.run.ports has ${found}; expected ${expected}.`;
  return { field: "metrics.port", found, expected, message };
}
