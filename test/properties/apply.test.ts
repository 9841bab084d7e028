/** Random command sequences against the authority's check, with the naive model as the second opinion. */
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { apply } from "../../src/core/commit/apply.ts";
import type { Command } from "../../src/core/protocol/command.ts";
import { operationSpace } from "../../src/core/protocol/operation-space.ts";
import { REFUSALS } from "../../src/core/protocol/refusals.ts";
import { CHURN, CONTEST, CROWD, FLAPPING, MOVING, SILENCE, UPKEEP } from "./weights.ts";
import { CONTESTED } from "./contest.ts";
import { freeze } from "./freeze.ts";
import { digest } from "./ledger-digest.ts";
import { find, wantedWorkload } from "./model-state.ts";
import { LEFT_OUT } from "./out-of-model.ts";
import { runs, TIME_LIMIT_MS, walks } from "./runs.ts";
import { SideBySide } from "./side-by-side.ts";
import { Tally } from "./tally.ts";
import { foldLog } from "./two-planes.ts";
import { WIDE } from "./desired-states.ts";

/** What the walks of a property met; each is walked once, also when two tests look at it. */
const tallied = (of: Parameters<typeof walks>[0] & { readonly times: number }): (() => Tally) => {
  let met: Tally | undefined;
  return () => {
    if (met !== undefined) return met;
    const counted = new Tally();
    const property = fc.property(walks(of), (walk) => {
      const pair = SideBySide.walk(walk);
      expect(pair.log.length).toBe(pair.state.revision);
      counted.add(pair);
    });
    fc.assert(property, runs(of.times));
    met = counted;
    return met;
  };
};

const everyday = tallied({ most: 250, times: 280 });
const contest = tallied({ most: 120, universe: CONTESTED, weights: CONTEST, times: 250 });
const upkeep = tallied({ most: 160, universe: CONTESTED, weights: UPKEEP, times: 400 });
const flapping = tallied({ most: 140, weights: FLAPPING, times: 60 });
const moving = tallied({ most: 100, universe: CONTESTED, weights: MOVING, times: 200 });

test(
  "property: apply() agrees with the naive model on random command sequences [OP1] [OP2] [EP1] [OB1] [OB2] [OB3] [OB4] [OB5] [OB6] [ST1] [ST2] [ST3] [BD1] [BD2] [BD3] [BD4] [BD5] [BD6] [BD7] [BD8] [BD9] [BD10] [BD11] [BD12] [BD13] [QT1] [QT2] [QT3] [RS1] [RS2] [RS3] [MN1] [MN2] [MN3] [LS1] [LS2] [LS3] [LS4] [EV1] [EV2] [EV3] [EV5]",
  () => {
    expect(everyday().share).toBeGreaterThan(0.4);
  },
  TIME_LIMIT_MS,
);

test(
  "property: apply() agrees with the naive model when nodes of a region fall silent [EV3] [EV4] [LS2] [LS4]",
  () => {
    const codes: Record<string, number> = {};
    fc.assert(
      fc.property(walks({ most: 140, universe: WIDE, weights: SILENCE }), (walk) => {
        for (const outcome of SideBySide.walk(walk).outcomes) {
          const code = "code" in outcome ? outcome.code : outcome.kind;
          codes[code] = (codes[code] ?? 0) + 1;
        }
      }),
      runs(150),
    );
    expect(codes["correlated-silence"]).toBeGreaterThan(20);
  },
  TIME_LIMIT_MS,
);

test(
  "property: apply() agrees with the naive model when indexes come, go and come again [BD2] [RS1] [RS2] [RS3]",
  () => {
    fc.assert(
      fc.property(walks({ most: 160, weights: CHURN }), (walk) => {
        const { log, state } = SideBySide.walk(walk);
        expect(log.length).toBe(state.revision);
      }),
      runs(600),
    );
  },
  TIME_LIMIT_MS,
);

/** How many of a command's bindings are of gangs. */
function membersBound({ state }: SideBySide, { intent }: Command): number {
  if (intent.kind !== "bind-all") return 0;
  const replicas = intent.bindings.map(({ replica }) => find(state, "Replica", replica));
  return replicas.filter((one) => one && wantedWorkload(state, one)?.spec.gang !== undefined)
    .length;
}

test(
  "property: apply() agrees with the naive model when several are placed together and gangs whole [BD12] [BD13] [MN1] [MN2] [GA1] [GA3]",
  () => {
    const codes: Record<string, number> = {};
    let wholeGangs = 0;
    fc.assert(
      fc.property(walks({ most: 90, weights: CROWD }), (walk) => {
        const gangs = new Set<Command>();
        const { sent, outcomes } = SideBySide.walk(walk, (pair, command) => {
          if (membersBound(pair, command) > 1) gangs.add(command);
        });
        outcomes.forEach((outcome, at) => {
          if ("code" in outcome) codes[outcome.code] = (codes[outcome.code] ?? 0) + 1;
          if (outcome.kind === "committed" && gangs.has(sent[at]!)) wholeGangs += 1;
        });
      }),
      runs(300),
    );
    expect(wholeGangs).toBeGreaterThan(5);
    expect(codes["gang-incomplete"]).toBeGreaterThan(50);
    expect(codes["too-many-on-node"]).toBeGreaterThan(5);
    expect(codes["port-taken"]).toBeGreaterThan(5);
    expect(codes["kept-apart"]).toBeGreaterThan(5);
  },
  TIME_LIMIT_MS,
);

test(
  "property: folding the log from scratch gives the same objects, sums and accounts [QT2]",
  () => {
    fc.assert(
      fc.property(walks({ most: 120 }), (walk) => {
        const { ledger, log } = SideBySide.walk(walk);
        expect(digest(foldLog(log))).toEqual(digest(ledger));
      }),
      runs(60),
    );
  },
  TIME_LIMIT_MS,
);

test(
  "property: a committed command sent again is a duplicate of the first and commits nothing [OP1]",
  () => {
    fc.assert(
      fc.property(walks({ most: 90 }), fc.nat(), (walk, laterMs) => {
        const { ledger, sent, outcomes, state } = SideBySide.walk(walk);
        const revisions = new Map<string, number>();
        sent.forEach((command, at) => {
          const outcome = outcomes[at];
          if (outcome?.kind !== "committed" || command.intent.kind === "lease") return;
          revisions.set(command.intent.operation, outcome.revision);
          for (const epoch of [command.epoch, state.epoch, state.epoch + 1]) {
            const again = apply(ledger, { ...command, epoch }, state.nowMs + laterMs);
            const first = { kind: "committed", revision: outcome.revision };
            const duplicate = { kind: "duplicate", first, asOf: ledger.revision };
            expect(again).toEqual({ outcome: duplicate, commit: undefined });
          }
        });
        // One effect for each identity, so none was answered with the revision of another.
        expect(new Set(revisions.values()).size).toBe(revisions.size);
      }),
      runs(60),
    );
  },
  TIME_LIMIT_MS,
);

const changesNothing = ({ ledger, state }: SideBySide, command: Command): void => {
  const before = digest(ledger);
  const space = operationSpace(command.actor);
  const known = ledger.operations.of(space, command.intent.operation);
  const first = apply(ledger, freeze(command), state.nowMs);
  const second = apply(ledger, freeze(structuredClone(command)), state.nowMs);
  expect(second).toEqual(first);
  expect(digest(ledger)).toEqual(before);
  expect(ledger.operations.of(space, command.intent.operation)).toEqual(known);
};

test(
  "property: apply() changes nothing, and gives the same answer to the same command",
  () => {
    fc.assert(
      fc.property(walks({ most: 90 }), (walk) => {
        expect(SideBySide.walk(walk, changesNothing).sent).not.toEqual([]);
      }),
      runs(60),
    );
  },
  TIME_LIMIT_MS,
);

test(
  "property: apply() agrees with the naive model when work of higher classes makes room for itself [PE1] [PE3] [PE4] [PE6] [PE7]",
  () => {
    const met = contest();
    expect(met.committed["preempt"]).toBeGreaterThan(50);
    expect(met.committed["unreserve hold-over"]).toBeGreaterThan(5);
    expect(met.refused["hold-not-over"]).toBeGreaterThan(20);
    expect(met.refused["preemption-not-needed"]).toBeGreaterThan(20);
    expect(met.refused["disruption-budget"]).toBeGreaterThan(2);
  },
  TIME_LIMIT_MS,
);

test(
  "property: apply() agrees with the naive model when nodes are drained, deleted and forgetful [MT1] [MT3] [MT4] [MT5] [OB9] [VN1] [VN2] [FG1] [FG2] [FL1] [FL2] [DC1]",
  () => {
    const met = upkeep();
    expect(met.committed["drain-over"]).toBeGreaterThan(5);
    expect(met.committed["release node-vanished"]).toBeGreaterThan(10);
    expect(met.committed["release agent-forgot"]).toBeGreaterThan(0);
  },
  TIME_LIMIT_MS,
);

test(
  "property: apply() agrees with the naive model when nodes come back again and again [FL1] [FL2]",
  () => {
    const met = flapping();
    expect(met.refused["damping-not-over"]).toBeGreaterThan(2);
  },
  TIME_LIMIT_MS,
);

test(
  "property: apply() agrees with the naive model when services are given other templates and sizes [OB6] [RO2] [RO8]",
  () => {
    const met = moving();
    expect(met.refused["rollout-surge"]).toBeGreaterThan(1);
  },
  TIME_LIMIT_MS,
);

const LEFT_OUT_CODES: readonly string[] = LEFT_OUT.flatMap(({ codes }) => codes);

test("what is left out of the model has a test of its own that is about it", () => {
  for (const { codes, tests } of LEFT_OUT) {
    const texts = tests.map((path) => readFileSync(path, "utf8"));
    for (const code of codes) {
      const said = [`"${code}"`, `[${REFUSALS[code].rule}]`];
      const isCovered = texts.some((text) => said.some((each) => text.includes(each)));
      expect(isCovered, `${code} in ${tests.join(" or ")}`).toBe(true);
    }
  }
});

test(
  "random sequences mostly commit and meet every kind of command and every refusal",
  () => {
    const met = Tally.of([everyday(), contest(), upkeep(), flapping(), moving()]);
    expect(met.share).toBeGreaterThan(0.4);
    expect(met.share).toBeLessThan(0.9);
    const kinds = Object.keys(met.committed).map((sent) => sent.replace(/ .*/, ""));
    expect([...new Set(kinds)].toSorted()).toEqual([
      "admit",
      "bind",
      "bind-all",
      "delete",
      "drain-over",
      "enqueue",
      "evict",
      "expire",
      "lease",
      "preempt",
      "put",
      "release",
      "report",
      "reserve",
      "transition",
      "unreserve",
    ]);
    const missed = Object.keys(REFUSALS).filter((code) => met.refused[code] === undefined);
    expect(missed.toSorted()).toEqual(LEFT_OUT_CODES.toSorted());
  },
  TIME_LIMIT_MS,
);
