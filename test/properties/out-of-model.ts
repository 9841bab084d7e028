/**
 * All that random sequences never send, and all refusals that they never meet, in one list: what it is, why, and the
 * test that looks after it instead. Whatever is not in here is in the model, and apply.test.ts demands that it is met.
 */
import type { CommandKind } from "../../src/core/protocol/command.ts";
import type { RefusalCode } from "../../src/core/protocol/refusals.ts";

interface LeftOut {
  /** Empty, like the codes, where only a part of a command is never sent. */
  readonly commands: readonly CommandKind[];
  readonly codes: readonly RefusalCode[];
  readonly why: string;
  /** The tests that are about the codes or cite their rules. */
  readonly tests: readonly string[];
}

const COMMANDS = "src/core/commit/commands";
const CHECKS = "src/core/commit/checks";
const VALIDATE = "src/core/commit/validate";

export const LEFT_OUT: readonly LeftOut[] = [
  {
    commands: [],
    codes: ["secret-missing"],
    why: "No template here names a secret, and the simulator's worlds have workloads that do.",
    tests: [`${COMMANDS}/bind-secrets.test.ts`, `${CHECKS}/secrets-for.test.ts`],
  },
  {
    commands: ["roll"],
    codes: [
      "rollout-over",
      "rollout-unavailable",
      "rollout-paused",
      "rollout-step",
      "rollout-unfinished",
    ],
    why: "Nobody moves a rollout on here: a service that is given a template keeps running the one it ran.",
    tests: [`${COMMANDS}/roll.test.ts`],
  },
  {
    commands: ["finish"],
    codes: [
      "job-parallelism",
      "job-finished",
      "job-retries",
      "job-unfinished",
      "job-ttl",
      "completions-fixed",
    ],
    why: "No workload here is a job: batches are of the kind that is tried until it succeeds.",
    tests: [`${CHECKS}/batch-incarnations.test.ts`, `${COMMANDS}/finish.test.ts`],
  },
  {
    commands: ["hold-recovery", "recover"],
    codes: ["recovery-reserve", "recovery-not-due", "too-uneven"],
    why: "No workload here asks for its recovery to be looked after.",
    tests: [`${COMMANDS}/hold-recovery.test.ts`, `${COMMANDS}/recover.test.ts`],
  },
  {
    commands: ["observe", "scale"],
    codes: [
      "workload-taken",
      "bad-reading",
      "observed-lately",
      "observation-old",
      "scale-bounds",
      "scale-not-due",
      "replicas-pending",
      "scaled-by-hand",
    ],
    why: "Nothing here is scaled by itself: what is measured is not modelled.",
    tests: [`${COMMANDS}/observe.test.ts`, `${COMMANDS}/scale.test.ts`],
  },
  {
    commands: ["provision", "provisioned", "scale-down"],
    codes: [
      "pool-fixed",
      "provision-not-needed",
      "provision-bound",
      "provision-backoff",
      "provision-not-over",
      "provision-told",
      "node-not-idle",
    ],
    why: "No machine comes of a pool here: all nodes are somebody's own.",
    tests: [`${COMMANDS}/provision.test.ts`, `${COMMANDS}/scale-down.test.ts`],
  },
  {
    commands: [],
    codes: ["replace-not-due", "already-replaced"],
    why: "No workload here says how long it waits for a silent node, so nothing is replaced and nothing meets again.",
    tests: [`${CHECKS}/replace.test.ts`],
  },
  {
    commands: [],
    codes: [],
    why: "With nothing replaced and no jobs, evidence of two that met again (`reconciled`) or of an ended job is never sent.",
    tests: [`${CHECKS}/settle.test.ts`, `${COMMANDS}/finish.test.ts`],
  },
  {
    commands: [],
    codes: [],
    why: "Agents here send no readings of their clocks and no notes, and nobody sends annotations or conditions.",
    tests: [
      `${CHECKS}/clock-rate.test.ts`,
      `${COMMANDS}/lease.test.ts`,
      `${COMMANDS}/put-annotations.test.ts`,
    ],
  },
  {
    commands: [],
    codes: ["preemption-rate"],
    why: "It takes fifty thousand victims within a minute.",
    tests: [`${COMMANDS}/preempt.test.ts`],
  },
  {
    commands: [],
    codes: ["preemption-cycle"],
    why: "A strictly higher value closes no circle, so no classes that can be put break the rule.",
    tests: ["src/core/model/preemption.test.ts"],
  },
  {
    commands: [],
    codes: [
      "held-by-override",
      "override-owned",
      "override-fixed",
      "override-over",
      "override-not-over",
      "too-many-overrides",
    ],
    why: "An override only ever takes away from what else may be: every rule here holds without one.",
    tests: [`${CHECKS}/override.test.ts`],
  },
  {
    commands: [],
    codes: [
      "budget-fixed",
      "budget-owned",
      "budget-reserve",
      "grant-not-due",
      "budget-missing",
      "budget-over",
      "budget-not-for",
      "budget-spent",
      "budget-in-use",
      "budget-not-over",
    ],
    why: "No workload here recovers on a budget, and no policy has a reserve for one.",
    tests: [`${CHECKS}/recovery-budget.test.ts`, `${CHECKS}/bind-budget.test.ts`],
  },
  {
    commands: ["confirm"],
    codes: ["region-partitioned", "not-confirmed", "confirm-not-due"],
    why: "No walk marks a region as partitioned, so nothing is bound that has to be confirmed.",
    tests: [`${CHECKS}/partitioned.test.ts`, `${COMMANDS}/confirm.test.ts`],
  },
  {
    commands: ["activate"],
    codes: [
      "revision-immutable",
      "pointer-not-put",
      "policy-moved",
      "already-active",
      "policy-staged",
    ],
    why: "Nobody here makes a policy that points to a revision, so no bind has one to name.",
    tests: [`${COMMANDS}/activate.test.ts`, `${CHECKS}/unwind.test.ts`],
  },
  {
    commands: [],
    codes: ["tenant-full", "object-too-large"],
    why: "The tenants and objects here are small: a walk would need thousands of steps to come to a bound.",
    tests: [`${VALIDATE}/tenant-full.test.ts`, `${VALIDATE}/oversized.test.ts`],
  },
  {
    commands: [],
    codes: ["capacity-over-ceiling", "label-reserved"],
    why: "No agent registers its node here: people make the nodes. Hostile worlds of the simulator send such puts.",
    tests: [`${VALIDATE}/agent-node.test.ts`],
  },
  {
    commands: [],
    codes: ["role-escalated", "role-ref-fixed", "binding-not-over"],
    why: "Nobody here writes a role: the callers of a walk have no credential, so that nothing restricts them.",
    tests: [
      `${CHECKS}/access.test.ts`,
      "test/properties/access.test.ts",
      "src/core/correct/expire-binding.test.ts",
    ],
  },
  {
    commands: [
      "incarnate",
      "hear",
      "lend",
      "take-terms",
      "end-term",
      "end-learning",
      "region-gone",
    ],
    codes: [
      "plane-fixed",
      "incarnation-passed",
      "wrong-plane",
      "owned-by-global",
      "region-has-plane",
      "region-superseded",
      "report-passed",
      "report-gap",
      "grant-passed",
      "grant-pending",
      "region-learning",
      "lender-learning",
      "lender-passed",
      "terms-not-for",
      "terms-passed",
      "term-over",
      "term-not-over",
      "still-learning",
    ],
    why: "One plane serves all regions here; several of them, with messages between, are a model of their own.",
    tests: [
      "test/properties/regions.test.ts",
      `${COMMANDS}/incarnate.test.ts`,
      `${COMMANDS}/hear.test.ts`,
      `${COMMANDS}/lend.test.ts`,
      `${COMMANDS}/take-terms.test.ts`,
      `${COMMANDS}/end-term.test.ts`,
      `${COMMANDS}/end-learning.test.ts`,
      `${COMMANDS}/region-gone.test.ts`,
      `${CHECKS}/region-ownership.test.ts`,
    ],
  },
  {
    commands: [],
    codes: ["accounts-wrong"],
    why: "It takes a ledger whose sums are not those of its objects; here the two are compared after every commit.",
    tests: ["src/core/observe/accounts/recount.test.ts"],
  },
];

/** For whoever comes to a command that the model does not know. */
export function outOfModel(kind: CommandKind): Error {
  const entry = LEFT_OUT.find(({ commands }) => commands.includes(kind));
  const where = entry?.tests.join(" and ") ?? "nothing: model it, or say in LEFT_OUT why not";
  return new Error(`The model knows no ${kind}. It is looked after by ${where}.`);
}
