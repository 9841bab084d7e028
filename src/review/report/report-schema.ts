/**
 * The JSON report, field by field: the form that programs read, and that `--against` reads again.
 * A field is never renamed and never changes its meaning; a new one is optional. What cannot keep
 * to this is another version.
 */
import { Type, type Static, type TSchema } from "typebox";

export const REPORT_VERSION = 1;

const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const truth = (description: string) => Type.Boolean({ description });
const list = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { description });
const verdict = (description: string) =>
  Type.Union([Type.Literal("holds"), Type.Literal("breached"), Type.Literal("not-shown")], {
    description,
  });
const names = (description: string) => list(Type.String(), description);

const FLEET = Type.Object(
  {
    source: text("the fleet, for people"),
    nodes: count("nodes of the fleet"),
    replicas: count("replicas of the fleet"),
    hash: text("hash of its objects: the evidence is about this fleet and no other"),
  },
  { description: "the fleet that was reviewed" },
);

const EVIDENCE = Type.Object(
  {
    madeMs: Type.Integer({ description: "when it was made, in milliseconds since 1970 (UTC)" }),
    expiresMs: Type.Optional(
      Type.Integer({ description: "when it ends, unless the fleet changes earlier" }),
    ),
    build: text("version of Berth"),
    command: Type.Optional(text("makes the same review again")),
  },
  { description: "when and with which build it was made" },
);

const CAPACITY = Type.Object(
  {
    counted: Type.Union([Type.Literal("hard"), Type.Literal("reclaimable"), Type.Literal("soft")], {
      description: "class of capacity that may count",
    }),
    searched: text("how far the failures were searched"),
    isProved: truth("whether the search proves it for every failure of the kind"),
    failures: count("failures that were examined"),
    broken: count("failures that leave replicas without a place"),
    worst: Type.Optional(
      Type.Object(
        {
          lost: names("places that are lost"),
          replicas: count("replicas on them"),
          placed: count("replicas that find a place elsewhere"),
          homeless: list(
            Type.Object({
              workload: text("workload"),
              count: count("its replicas without a place"),
            }),
            "workloads with replicas that find none",
          ),
        },
        { description: "the failure that leaves most replicas without a place" },
      ),
    ),
    binding: Type.Optional(text("the constraint that binds first")),
    headroom: Type.Optional(text("what still fits after the worst failure")),
  },
  { description: "whether all replicas find a place after every failure of the stated kind" },
);

const SIMULATION = Type.Object(
  {
    seeds: count("runs of the twin"),
    kept: count("runs that kept the promise"),
    promisedMs: Type.Optional(count("the time that the promise allows")),
    p50Ms: Type.Optional(count("half of the runs took no longer, counted from the failure")),
    p99Ms: Type.Optional(count("99 of 100 runs took no longer")),
    tightestMs: Type.Optional(count("the shortest time that these runs would show")),
    worst: Type.Optional(
      Type.Object(
        {
          seed: count("its seed"),
          ms: Type.Optional(count("its time; left out: not while it was watched")),
          slowest: Type.Optional(text("the stage that took longest in it")),
          scenario: Type.Optional(text("file with this run as a scenario")),
          incident: Type.Optional(text("file with the page about its incident")),
        },
        { description: "the worst run" },
      ),
    ),
    replay: Type.Optional(text("command that runs the worst seed again")),
  },
  { description: "the twin of the fleet, run through the failure" },
);

const FIX = Type.Object(
  {
    change: text("the smallest change found"),
    verdict: verdict("the verdict after it was applied to the twin"),
    reason: text("the reason of that verdict"),
  },
  { description: "the smallest change that makes the promise hold" },
);

const FINDING = Type.Object({
  name: text("name of the commitment, with its tenant if it has one"),
  promise: text("the promise as a sentence"),
  verdict: verdict("`holds`, `breached` or `not-shown`"),
  reason: text("the reason of the verdict"),
  mechanisms: list(
    Type.Object({
      object: text("object"),
      role: text("its part in the promise"),
    }),
    "objects that carry the promise",
  ),
  capacity: Type.Optional(CAPACITY),
  simulation: Type.Optional(SIMULATION),
  fix: Type.Optional(FIX),
  answers: Type.Object(
    {
      authority: names("who decides, and who may not"),
      progress: names("which signals show it, and who owns a stall"),
      capacity: names("where it comes from, of which class, under which constraints"),
      safety: names("which invariants cannot be broken meanwhile"),
      evidence: names("what was run, on which fleet, and when"),
    },
    { description: "answers to the five groups of questions" },
  ),
  boundary: names("what this verdict does not say"),
});

const CHANGE = Type.Object({
  name: text("promise"),
  what: text("figure"),
  before: text("its earlier value"),
  after: text("its present value"),
});

const AGAINST = Type.Object(
  {
    before: Type.Object(
      {
        hash: text("hash of the earlier fleet"),
        madeMs: Type.Optional(Type.Integer({ description: "when the earlier review was made" })),
      },
      { description: "the earlier review" },
    ),
    isSameFleet: truth("whether both are about the same fleet"),
    isSameProfile: truth("whether both have the times of the same control plane"),
    hadExpired: truth("whether the earlier evidence was over"),
    newly: Type.Object(
      {
        breached: names("promises that are now breached"),
        "not-shown": names("promises that are now not shown"),
        holds: names("promises that now hold"),
      },
      { description: "promises with another verdict than before" },
    ),
    added: names("promises that the earlier review does not have"),
    removed: names("promises that only the earlier review has"),
    changed: list(CHANGE, "figures that are not as before"),
  },
  { description: "comparison with the review that `--against` names" },
);

export const REPORT_SCHEMA = Type.Object({
  version: Type.Literal(REPORT_VERSION, { description: "version of this form" }),
  verdict: verdict("the worst verdict of all promises"),
  counts: Type.Object(
    {
      holds: count("promises that hold"),
      breached: count("promises that are breached"),
      "not-shown": count("promises that are not shown"),
    },
    { description: "how many promises have each verdict" },
  ),
  fleet: FLEET,
  profile: Type.Union([Type.Literal("berth"), Type.Literal("kubernetes")], {
    description: "the control plane whose times were used",
  }),
  evidence: Type.Optional(EVIDENCE),
  against: Type.Optional(AGAINST),
  findings: list(FINDING, "one entry for each promise"),
});

export type Report = Static<typeof REPORT_SCHEMA>;
