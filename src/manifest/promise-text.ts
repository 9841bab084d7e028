/** A promise as one sentence, as the team would say it. */
import {
  type CommitmentSpec,
  type Disturbance,
  type FailureCase,
  FLEET_NAMESPACE,
  promisedWorkload,
  promiseKindsOf,
} from "../core/model/commitment.ts";
import { countText } from "../core/model/text/count-text.ts";
import { formatDuration } from "../quantity/duration.ts";
import { formatPart } from "../quantity/part.ts";

export function promiseText(spec: CommitmentSpec, namespace: string): string {
  const { when, holds } = spec;
  const failure = when === undefined ? "" : ` ${failureText(when)}`;
  const sure =
    holds?.atLeast === undefined
      ? ""
      : `, in ${formatPart(holds.atLeast)} of the ${holds.of === "failures" ? "failures" : "runs"}`;
  return `${claimText(spec, namespace)}${failure}${sure}.`;
}

/** Without its failure, such as "2 replicas of payments/risk-api serve again within 5m". */
export function claimText(spec: CommitmentSpec, namespace: string): string {
  const [kind] = promiseKindsOf(spec);
  return kind === undefined ? "Nothing is promised" : CLAIMS[kind](spec, namespace);
}

type Claim = (spec: CommitmentSpec, namespace: string) => string;

const CLAIMS: Readonly<Record<ReturnType<typeof promiseKindsOf>[number], Claim>> = {
  recover: ({ recover }, namespace) => {
    if (recover === undefined) return "";
    const { workload, replicas, withinMs } = recover;
    const of = workloadText(workload, namespace);
    const where = recover.in === undefined ? " again" : ` in ${recover.in.join(" or ")}`;
    const within = `within ${formatDuration(withinMs)}`;
    return replicas === undefined
      ? `As many replicas of ${of} as before serve${where} ${within}`
      : `${countText(replicas, "replica")} of ${of} ${replicas === 1 ? "serves" : "serve"}${where} ${within}`;
  },
  keepServing: ({ keepServing }, namespace) =>
    `${workloadText(keepServing?.workload ?? "", namespace)} never has fewer than ${countText(keepServing?.atLeast ?? 0, "serving replica")}`,
  wait: ({ wait }, namespace) => {
    const of = wait?.priorityClass === undefined ? "" : ` of class ${wait.priorityClass}`;
    const share = wait?.share === undefined ? "All" : `${formatPart(wait.share)} of the`;
    return `${share} replicas${of}${ofTenant(namespace)} find a place within ${formatDuration(wait?.withinMs ?? 0)}`;
  },
  isolation: ({ isolation }, namespace) =>
    `Other tenants cannot take the protected capacity of ${isolation?.tenant ?? (namespace === FLEET_NAMESPACE ? "any tenant" : namespace)}`,
  fairness: ({ fairness }, namespace) =>
    `${namespace === FLEET_NAMESPACE ? "A tenant" : `Tenant ${namespace}`} within its quota waits for its share no longer than ${formatDuration(fairness?.withinMs ?? 0)}`,
  headroom: ({ headroom }, namespace) => {
    const { workload, replicas } = headroom ?? {};
    if (workload === undefined)
      return `There is a place for every lost replica${ofTenant(namespace)}`;
    const of = workloadText(workload, namespace);
    return replicas === undefined
      ? `There is a place for every lost replica of ${of}`
      : `There is room for ${replicas} more of ${of}`;
  },
  drains: ({ drains }) =>
    `The drain of each node ends with an empty node within ${formatDuration(drains?.withinMs ?? 0)}`,
  overrideEnds: ({ overrideEnds }) =>
    `An override ends, and its effects are gone ${formatDuration(overrideEnds?.withinMs ?? 0)} later`,
  noStorm: ({ noStorm }) =>
    `No controller sends more than ${countText(noStorm?.commandsPerCause ?? 0, "command")} about one object`,
  invariant: ({ invariant }) => {
    const { labels = {}, per = "", atLeast, atMost } = invariant ?? {};
    const of = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    const bounds = [
      ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
      ...(atMost === undefined ? [] : [`at most ${atMost}`]),
    ];
    return `Each ${per} has ${bounds.join(" and ")} replicas of ${of.join(", ")}`;
  },
};

const ofTenant = (namespace: string): string =>
  namespace === FLEET_NAMESPACE ? "" : ` of ${namespace}`;

/** e.g. "payments/risk-api" */
export function workloadText(named: string, namespace: string): string {
  const { tenant, name } = promisedWorkload(named, namespace);
  return `${tenant}/${name}`;
}

/** e.g. "when region eu-central is lost and the leader changes" */
export function failureText({ lose, drain, which, anyOf = 1, also = [] }: FailureCase): string {
  const by = lose ?? drain;
  const ends = lose === undefined ? "drained" : "lost";
  const place =
    by === undefined
      ? []
      : which === undefined
        ? [anyOf === 1 ? `any ${by} is ${ends}` : `any ${anyOf} ${by}s are ${ends}`]
        : [`${by} ${which} is ${ends}`];
  const all = [...place, ...also.map((each) => DISTURBANCE_TEXTS[each])];
  const last = all.at(-1) ?? "";
  return `when ${all.length < 2 ? last : `${all.slice(0, -1).join(", ")} and ${last}`}`;
}

export const DISTURBANCE_TEXTS: Readonly<Record<Disturbance, string>> = {
  "write-timeout": "writes commit and their senders are not told",
  "stale-cache": "caches lag",
  "stale-quota": "the use of quota is seen late",
  "policy-rollback": "the policy is rolled back",
  override: "a person overrides",
  "two-schedulers": "a second scheduler acts",
  "leader-change": "the leader changes",
  "leaked-state": "reservations without an owner are left",
  "slow-starts": "starts are slow",
};
