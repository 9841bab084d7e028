/** Random command sequences against the authority's judgement, with the naive model as the second opinion. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { apply } from "../../src/core/commit/apply.ts";
import type { Command } from "../../src/core/commit/command.ts";
import { REFUSALS } from "../../src/core/commit/refusals.ts";
import { CHURN, CROWD, SILENCE } from "./commands.ts";
import { freeze } from "./freeze.ts";
import { digest } from "./ledger-digest.ts";
import { find, wantedWorkload } from "./model-state.ts";
import { runs, SEED, TIME_LIMIT_MS, walks } from "./runs.ts";
import { SideBySide } from "./side-by-side.ts";
import { foldLog } from "./two-planes.ts";
import { WIDE } from "./wishes.ts";

test(
  "property: apply() agrees with the naive model on random command sequences [OP1] [OP2] [EP1] [OB1] [OB2] [OB3] [OB4] [OB5] [OB6] [ST1] [ST2] [ST3] [BD1] [BD2] [BD3] [BD4] [BD5] [BD6] [BD7] [BD8] [BD9] [BD10] [BD11] [BD12] [BD13] [QT1] [QT2] [QT3] [RS1] [RS2] [RS3] [MN1] [MN2] [MN3] [LS1] [LS2] [LS3] [LS4] [EV1] [EV2] [EV3] [EV5]",
  () => {
    fc.assert(
      fc.property(walks({ most: 250 }), (walk) => {
        const { log, state } = SideBySide.walk(walk);
        expect(log.length).toBe(state.revision);
      }),
      runs(280),
    );
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
  "property: apply() agrees with the naive model when slots come, go and come again [BD2] [RS1] [RS2] [RS3]",
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
  const known = ledger.operation(command.intent.operation);
  const first = apply(ledger, freeze(command), state.nowMs);
  const second = apply(ledger, freeze(structuredClone(command)), state.nowMs);
  expect(second).toEqual(first);
  expect(digest(ledger)).toEqual(before);
  expect(ledger.operation(command.intent.operation)).toEqual(known);
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

/** The naive model knows no preemption; what is refused there is met by `judge/preempt.test.ts`. */
const PREEMPTION_CODES: ReadonlySet<string> = new Set(
  Object.entries(REFUSALS).flatMap(([code, { rule }]) => (/^PE\d/.test(rule) ? [code] : [])),
);

test(
  "random sequences mostly commit and meet every kind of command and every refusal",
  () => {
    const commands = new Set<string>();
    const codes = new Set<string>();
    let [committed, all] = [0, 0];
    for (const walk of fc.sample(walks({ most: 250 }), { seed: SEED, numRuns: 120 })) {
      const { sent, outcomes } = SideBySide.walk(walk);
      outcomes.forEach((outcome, at) => {
        all += 1;
        if ("code" in outcome) codes.add(outcome.code);
        if (outcome.kind !== "committed") return;
        committed += 1;
        commands.add(sent[at]!.intent.kind);
      });
    }
    expect(committed / all).toBeGreaterThan(0.4);
    expect(committed / all).toBeLessThan(0.9);
    expect([...commands].toSorted()).toEqual([
      "admit",
      "bind",
      "bind-all",
      "delete",
      "enqueue",
      "evict",
      "lease",
      "put",
      "release",
      "report",
      "reserve",
      "transition",
    ]);
    const missed = Object.keys(REFUSALS).filter((code) => !codes.has(code));
    expect(missed.filter((code) => !PREEMPTION_CODES.has(code))).toEqual([]);
  },
  TIME_LIMIT_MS,
);
