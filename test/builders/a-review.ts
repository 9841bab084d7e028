/** A review with a promise of each verdict and all that a finding can have, and reviews of any text. */
import * as fc from "fast-check";
import type { Finding, Review } from "../../src/review/review.ts";

const ANSWERS: Finding["answers"] = {
  authority: [
    "The authority alone binds replicas; agents report and renew their own leases.",
    "No user token may release a replica that still runs.",
  ],
  progress: [
    "`berth explain` tells the stage of the recovery; the scheduler owns a wait for room.",
  ],
  capacity: [
    "Free room in eu-west, hard only, under the selector disk=fast and the spread by zone.",
  ],
  safety: ["At most one incarnation of an index runs [BD1].", "No tenant exceeds its quota."],
  evidence: ["200 seeds of the twin with crashes and partitions of the control plane on top."],
};

export const breachedFinding: Finding = {
  name: "payments/risk-api-recovers",
  promise: "After the loss of eu-central, 4 replicas of risk-api serve in eu-west within 5 min.",
  verdict: "breached",
  reason:
    "Recovery takes 6 min 3 s in the worst of 200 runs, because 12 replicas of ledger find no node.",
  mechanisms: [
    { object: "recoverybudget/eu-west", role: "pays for binds ahead of the queue" },
    { object: "priorityclass/serving", role: "orders its replicas before batches" },
  ],
  capacity: {
    counted: "hard",
    searched: "all 3 regions, one at a time",
    isProved: true,
    failures: 3,
    broken: 1,
    worst: {
      lost: ["eu-central-1a", "eu-central-1b", "eu-central-1c"],
      replicas: 119,
      placed: 104,
      homeless: [
        { workload: "payments/ledger", count: 12 },
        { workload: "research/risk-model", count: 3 },
      ],
    },
    binding: "memory in eu-west",
    headroom: "room for 2 more payments/risk-api",
  },
  simulation: {
    seeds: 200,
    kept: 187,
    promisedMs: 300_000,
    p50Ms: 142_300,
    p99Ms: 318_000,
    worst: {
      seed: 71,
      ms: 363_020,
      slowest: "place",
      scenario: "review/risk-api-recovers-71.yaml",
      incident: "review/risk-api-recovers-71.html",
    },
    replay: "berth review --fleet fleet.jsonl --only payments/risk-api-recovers --seed 71",
  },
  fix: {
    change: "Add 2 nodes of the shape m5.2xlarge in eu-west.",
    verdict: "holds",
    reason: "All 200 runs recover within 4 min 41 s.",
  },
  answers: ANSWERS,
  boundary: [
    "Times of machines that are not made yet are those of the node pool's specification.",
    "The network between regions is taken as given.",
  ],
};

export const notShownFinding: Finding = {
  name: "payments/ledger-serves",
  promise: "At least 3 replicas of ledger serve while any one node is drained.",
  verdict: "not-shown",
  reason: "7 of 40 drains did not end while they were watched.",
  mechanisms: [],
  simulation: {
    seeds: 40,
    kept: 33,
    p50Ms: 95_000,
    worst: { seed: 3, slowest: "evict" },
  },
  answers: { ...ANSWERS, authority: [] },
  boundary: ["The network between regions is taken as given."],
};

export const holdingFinding: Finding = {
  name: "research/quota-is-safe",
  promise: "No other tenant takes capacity that the quota of research protects.",
  verdict: "holds",
  reason: "No run of 200 placed a replica on protected capacity.",
  mechanisms: [{ object: "quota/research", role: "protects 40 cores in eu-west" }],
  simulation: { seeds: 200, kept: 200, promisedMs: 60_000, p50Ms: 1_200, p99Ms: 4_000 },
  answers: ANSWERS,
  boundary: ["The network between regions is taken as given."],
};

export function aReview(over: Partial<Review> = {}): Review {
  return {
    fleet: {
      source: "60 nodes and 443 pods of Kubernetes",
      nodes: 60,
      replicas: 443,
      hash: "5f2a7c3e90b14d88",
    },
    profile: "berth",
    evidence: {
      madeMs: Date.UTC(2026, 10, 18, 9, 30),
      expiresMs: Date.UTC(2026, 11, 18, 9, 30),
      build: "0.1.0",
      command: "berth review --fleet fleet.jsonl --promises promises.yaml",
    },
    findings: [holdingFinding, breachedFinding, notShownFinding],
    ...over,
  };
}

/** What people and attackers put into names. */
export const ATTACKS: readonly string[] = [
  `<script>alert("x")</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)`,
  "]]><!--",
  "&amp;&lt;&#0;",
  "](javascript:alert(1))",
  "| a | b |\n|---|---|",
  "\n## heading\n```\ncode",
  "**bold** _it_ ~~no~~ `code` [a](b) ![c](d)",
  "https://evil.example/ www.evil.example @everyone #1",
  "- list",
  "1. list",
  "# heading",
  "+ plus",
  "> quote",
  "\u001b[2J\u009b31m\u202e\u200b\u0000\u0008",
  "\ud800 \udfff \ufffe \uffff \u{1fffe}",
  "漢字かな한국어 👩‍💻 é e\u0301",
  "x".repeat(20_000),
  "long words ".repeat(3_000),
  "\\",
  "\\`",
  "``",
  "",
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ATTACKS),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.tuple(fc.constantFrom(...ATTACKS), fc.string({ maxLength: 20 })).map(([a, b]) => b + a),
);

const count = fc.nat({ max: 1_000_000 });
const optional = <Value>(key: string, value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined }).map((some) => (some === undefined ? {} : { [key]: some }));

const sentences = fc.array(hostileText, { maxLength: 15 });

const anyFinding: fc.Arbitrary<Finding> = fc
  .tuple(
    fc.record({
      name: hostileText,
      promise: hostileText,
      verdict: fc.constantFrom("holds" as const, "breached" as const, "not-shown" as const),
      reason: hostileText,
      mechanisms: fc.array(fc.record({ object: hostileText, role: hostileText }), { maxLength: 3 }),
      answers: fc.record({
        authority: sentences,
        progress: sentences,
        capacity: sentences,
        safety: sentences,
        evidence: sentences,
      }),
      boundary: sentences,
    }),
    optional(
      "capacity",
      fc.record({
        counted: fc.constantFrom("hard", "reclaimable", "soft"),
        searched: hostileText,
        isProved: fc.boolean(),
        failures: count,
        broken: count,
        worst: fc.record({
          lost: fc.array(hostileText, { maxLength: 20 }),
          replicas: count,
          placed: count,
          homeless: fc.array(fc.record({ workload: hostileText, count }), { maxLength: 20 }),
        }),
        binding: hostileText,
        headroom: hostileText,
      }),
    ),
    optional(
      "simulation",
      fc
        .tuple(
          fc.record({ seeds: count, kept: count, replay: hostileText }),
          optional("promisedMs", count),
          optional("p50Ms", count),
          optional(
            "worst",
            fc
              .tuple(
                fc.record({ seed: count, slowest: hostileText, incident: hostileText }),
                optional("ms", count),
              )
              .map(([some, more]) => ({ ...some, ...more })),
          ),
        )
        .map((parts) => Object.assign({}, ...parts) as object),
    ),
    optional(
      "fix",
      fc.record({ change: hostileText, verdict: fc.constant("holds"), reason: hostileText }),
    ),
  )
  .map((parts) => Object.assign({}, ...parts) as Finding);

export const anyReview: fc.Arbitrary<Review> = fc.record({
  fleet: fc.record({ source: hostileText, nodes: count, replicas: count, hash: hostileText }),
  profile: fc.constantFrom("berth" as const, "kubernetes" as const),
  evidence: fc.record({
    madeMs: fc.integer(),
    expiresMs: fc.constantFrom(0, Number.MAX_SAFE_INTEGER, 1_800_000_000_000),
    build: hostileText,
    command: hostileText,
  }),
  findings: fc.array(anyFinding, { maxLength: 5 }),
});
