/** Commitment: a promise about the fleet, which `berth review` checks against it. */
import {
  CAPACITY_CLASSES,
  type CommitmentSpec,
  DISTURBANCES,
  type FailureCase,
  FLEET_NAMESPACE,
  PROMISES,
  type PromisedCalm,
  type PromisedHeadroom,
  type PromisedInvariant,
  type PromisedIsolation,
  type PromisedRecovery,
  type PromisedServing,
  type PromisedTime,
  type PromisedWait,
  promiseKindsOf,
  type Sureness,
} from "../model/commitment.ts";
import { tenantKey } from "../model/ids.ts";
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";
import { RECOVERY_WITHIN_MAX_MS } from "../model/recovery.ts";
import {
  choice,
  count,
  duration,
  labels,
  list,
  name,
  type NeededField,
  object,
  optional,
  part,
  patterned,
  usually,
  word,
} from "./fields/field.ts";
import { APPLIED_LAST, type BrokenRule, type WrittenDefinition } from "./kind-definition.ts";

/** As long as a recovery objective may be. */
const TIME = { least: 1, most: RECOVERY_WITHIN_MAX_MS } as const;
const MOST = LOAD_LIMITS.workloadReplicas.value;
const SOME = { least: 1, most: MOST } as const;
/** As long as a label's key, with its prefix. */
const TOPOLOGY_CHARACTERS = 317;
/** The search for the worst of many lost places grows with every one: more are never proved. */
const PLACES = { least: 1, most: 16 } as const;
/** More regions than any fleet has. */
const REGIONS_MAX = 64;
/** More commands for one cause than any plane sends in an hour. */
const COMMANDS = { least: 1, most: 100_000 } as const;

const workload = (about: string): NeededField<string> =>
  patterned(about, {
    most: 512,
    pattern: "^([a-z0-9][a-z0-9.-]*/)?[a-z0-9][a-z0-9.-]*$",
    expected: "the name of a workload, with its tenant if it is another one: payments/risk-api",
  });

const within = (about: string): NeededField<number> => duration(about, TIME);

const topology = (about: string): NeededField<string> => word(about, TOPOLOGY_CHARACTERS);

export const commitmentDefinition: WrittenDefinition<"Commitment"> = {
  kind: "Commitment",
  plural: "commitments",
  shortNames: ["promise", "promises"],
  scope: "tenant",
  writer: "people",
  deletedBy: "user",
  isMeasured: true,
  applyStep: APPLIED_LAST,
  about: `A promise about the fleet, which berth review checks. It is about the tenant that is its namespace, and in namespace ${FLEET_NAMESPACE} about the whole fleet.`,
  // A promise to a tenant ends with the tenant; one about the fleet needs no tenant.
  references: (_, namespace) =>
    namespace === FLEET_NAMESPACE ? [] : [{ key: tenantKey(namespace), mustStay: true }],
  spec: {
    about: "One promise, the failure under which it is to hold, and how sure it has to be.",
    fields: {
      recover: optional(
        object<PromisedRecovery>("Replicas of a workload serve again in time.", {
          workload: workload("The workload."),
          replicas: optional(
            count("How many of its replicas serve again. Default: as many as before.", SOME),
          ),
          in: optional(
            list(
              "Regions in which they serve. Default: anywhere.",
              name("The name of a region.", "Region"),
              { least: 1, most: REGIONS_MAX, repeated: "refused" },
            ),
          ),
          withinMs: within("The time from the failure until they serve."),
        }),
      ),
      keepServing: optional(
        object<PromisedServing>("A workload never has fewer serving replicas.", {
          workload: workload("The workload."),
          atLeast: count("The fewest serving replicas at any moment.", SOME),
        }),
      ),
      wait: optional(
        object<PromisedWait>("Replicas find a place in time: from admission to bind.", {
          priorityClass: optional(name("Only replicas of this class. Default: all.")),
          withinMs: within("The longest wait."),
          share: optional(part("The share of the replicas, such as 99%. Default: all.")),
        }),
      ),
      isolation: optional(
        object<PromisedIsolation>("Other tenants cannot take a tenant's protected capacity.", {
          tenant: optional(name("The tenant. Default: the namespace of the promise.")),
        }),
      ),
      fairness: optional(
        object<PromisedTime>("A tenant within its quota gets its share again in time.", {
          withinMs: within("The longest time that it waits while others use more than theirs."),
        }),
      ),
      headroom: optional(
        object<PromisedHeadroom>("There is room for what the failure takes, and for more.", {
          workload: optional(
            workload("Only replicas of this workload. Default: every replica that is lost."),
          ),
          replicas: optional(
            count("Room for so many more replicas of the workload. Default: none.", SOME),
          ),
        }),
      ),
      drains: optional(
        object<PromisedTime>("Every drain of a node ends with an empty node.", {
          withinMs: within("The longest time that the drain of one node takes."),
        }),
      ),
      overrideEnds: optional(
        object<PromisedTime>("An override ends at its time and leaves nothing behind.", {
          withinMs: within("The longest time after its end until its effects are gone."),
        }),
      ),
      noStorm: optional(
        object<PromisedCalm>("Controllers do not amplify a failure by retries or scale-ups.", {
          commandsPerCause: count(
            "The most commands of one controller about one object.",
            COMMANDS,
          ),
        }),
      ),
      invariant: optional(
        object<PromisedInvariant>("A bound on the number of replicas in each place.", {
          labels: labels("The replicas of workloads that have all these labels."),
          per: topology("The places: node, zone, region, or a label of nodes such as rack."),
          atLeast: optional(count("The fewest of them in each place.", SOME)),
          atMost: optional(count("The most of them in each place.", { least: 0, most: MOST })),
        }),
      ),
      when: optional(
        object<FailureCase>(
          "The failure under which it is to hold. Default: every failure that can break it.",
          {
            lose: optional(
              topology(
                "A place that is lost: node, zone, region, or a label of nodes such as rack.",
              ),
            ),
            drain: optional(topology("A place whose nodes are drained one after the other.")),
            which: optional(word("Only the place with this name. Default: each in turn.")),
            anyOf: optional(
              count("So many places at once, whichever they are. Default: 1.", PLACES),
            ),
            also: optional(
              list(
                "What goes wrong in the control plane at the same time.",
                choice(
                  "write-timeout: writes commit and their senders are not told. stale-cache: caches lag. stale-quota: use of quota is seen late. policy-rollback: the policy is rolled back meanwhile. override: a person overrides meanwhile. two-schedulers: a second scheduler acts. leader-change: another leader takes over. leaked-state: reservations without an owner are left. slow-starts: every start takes longer.",
                  DISTURBANCES,
                ),
                { least: 1, most: DISTURBANCES.length, repeated: "refused" },
              ),
            ),
          },
        ),
      ),
      holds: optional(
        object<Sureness>("How sure it has to be.", {
          atLeast: optional(part("The share that keeps the promise, such as 99.9%. Default: all.")),
          of: usually(
            choice("seeds: of the simulated runs. failures: of the failures of the stated kind.", [
              "seeds",
              "failures",
            ]),
            "seeds",
          ),
        }),
      ),
      capacity: usually(
        choice(
          "hard: only room that is free or reserved counts. reclaimable: room of work that may be preempted counts, too. soft: so do nodes that are only expected.",
          CAPACITY_CLASSES,
        ),
        "hard",
      ),
    },
    example: {
      name: "risk-api-recovers",
      namespace: "payments",
      spec: {
        recover: { workload: "risk-api", replicas: 4, in: ["eu-west"], within: "5m" },
        when: { lose: "region", which: "eu-central" },
      },
    },
    rules: [onePromise, moreOfNothing, boundless, placeOfNothing, oneOrMany],
  },
};

/** A verdict is about one promise: of two it would not say which one is broken. */
function onePromise(spec: CommitmentSpec): BrokenRule | readonly BrokenRule[] | undefined {
  const given = promiseKindsOf(spec);
  const [first, ...more] = given;
  const expected = `exactly one of ${PROMISES.join(", ")}`;
  if (first === undefined) {
    return {
      field: "recover",
      found: "no promise",
      expected,
      message: `found no promise; expected ${expected}.`,
    };
  }
  return more.map((field) => ({
    field,
    found: given.join(" and "),
    expected,
    message: `found ${given.join(" and ")}; expected ${expected}. Write a Commitment for each.`,
  }));
}

/** Room for so many more needs to know of what. */
function moreOfNothing({ headroom }: CommitmentSpec): BrokenRule | undefined {
  if (headroom?.replicas === undefined || headroom.workload !== undefined) return undefined;
  return {
    field: "headroom.replicas",
    found: headroom.replicas,
    expected: "a workload beside it",
    message: "found without headroom.workload; name the workload that the room is for.",
  };
}

function boundless({ invariant }: CommitmentSpec): BrokenRule | undefined {
  if (invariant === undefined) return undefined;
  const { atLeast, atMost } = invariant;
  if (atLeast === undefined && atMost === undefined) {
    return { field: "invariant", found: "no bound", expected: "atLeast, atMost or both" };
  }
  if (atLeast === undefined || atMost === undefined || atLeast <= atMost) return undefined;
  const expected = `no less than atLeast, which is ${atLeast}`;
  return { field: "invariant.atMost", found: atMost, expected };
}

function placeOfNothing({ when }: CommitmentSpec): BrokenRule | undefined {
  if (when === undefined) return undefined;
  const { lose, drain, which, anyOf, also } = when;
  if (lose !== undefined && drain !== undefined) {
    return {
      field: "when.drain",
      found: "lose and drain",
      expected: "one of them",
      message: "found lose and drain; write a Commitment for each.",
    };
  }
  const isPlaced = lose !== undefined || drain !== undefined;
  if (!isPlaced && (which !== undefined || anyOf !== undefined)) {
    const field = which === undefined ? "when.anyOf" : "when.which";
    const found = which ?? anyOf ?? "";
    return { field, found, expected: "lose or drain beside it, which says what places are meant" };
  }
  return isPlaced || also !== undefined
    ? undefined
    : { field: "when", found: "no failure", expected: "lose, drain or also" };
}

function oneOrMany({ when }: CommitmentSpec): BrokenRule | undefined {
  if (when?.anyOf === undefined || when.which === undefined) return undefined;
  return {
    field: "when.anyOf",
    found: when.anyOf,
    expected: "no which beside it",
    message: "found beside when.which, which names one place; leave one of them out.",
  };
}
