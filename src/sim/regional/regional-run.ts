/**
 * Runs a world with several planes, each with a log of its own: of all that waits anywhere, the
 * earliest happens next. It ends when every plane has settled and so has what is between them.
 */
import { GLOBAL, type RegionalEvent, type RegionalPart } from "./regional-world.ts";
import { RegionalChecks } from "../check/regional/regional-checks.ts";
import type { EstateTruth, Realm, RunningWork } from "../check/regional/realm.ts";
import { isSettled } from "../check/regional/settling.ts";
import { createRegionalCheckers } from "../check/regional/regional-checkers.ts";
import { EventQueue } from "../event-queue.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { parseKey, regionKey, type Revision } from "../../core/model/ids.ts";
import type { RegionReport } from "../../core/protocol/region-exchange.ts";
import type { ExchangeAnswer } from "../../core/regional/region-link.ts";
import { RunHash } from "../report/run-hash.ts";
import type { RunOptions, RunResult, TraceLine } from "../report/run-result.ts";
import type { World } from "../world/world.ts";
import { Estate } from "./estate.ts";
import { LenderSide } from "./lender-side.ts";
import { RegionSide } from "./region-side.ts";
import { restoredStaging } from "./restored-staging.ts";
import { type RegionOfWorld, splitWorld } from "./split-world.ts";
import { Wan } from "./wan.ts";

/** After the world has healed, the planes get this long to settle what is between them. */
const SETTLE_MS = 60_000;

/** How often a person looks whether the global plane knows that a region is gone. */
const SAY_AGAIN_MS = 5_000;

/** Nothing happens between planes but the time that messages need. */
const CALM: RegionalPart = { events: [], wan: { lost: 0, late: 0, doubled: 0, lateMs: 0 } };

type EventOf<E> = Extract<RegionalEvent, { readonly event: E }>;

export class RegionalRun {
  private readonly options: RunOptions;
  private readonly estates: readonly Estate[];
  private readonly global: Estate;
  private readonly lender: LenderSide;
  private readonly sides = new Map<string, RegionSide>();
  private readonly wan: Wan;
  private readonly checks: RegionalChecks;
  private readonly realm: Realm;
  /** Of runs that a restore has ended. */
  private eventsBefore = 0;
  private readonly tracesBefore: TraceLine[] = [];
  private nowMs = 0;
  /** What happens to whole planes. */
  private readonly events = new EventQueue<() => void>();

  constructor(options: RunOptions) {
    this.options = options;
    const { world, seed } = options;
    this.checks = new RegionalChecks(createRegionalCheckers(), () => this.realm);
    const estate = (name: string, of: World): Estate =>
      new Estate(
        name,
        { ...options, world: of, faults: { ...options.faults, explicit: [] } },
        this.checks.watcherOf(name),
      );
    const { regional: part = CALM } = world;
    const split = splitWorld(world);
    this.global = estate(GLOBAL, split.global);
    const regions = split.regions.map((region) => ({
      region,
      estate: estate(region.name, region.world),
    }));
    this.estates = [this.global, ...regions.map((each) => each.estate)];
    this.realm = this.realmOf(regions);
    this.wan = new Wan({ seed, rates: part.wan, events: part.events, healMs: world.faultsUntilMs });
    this.lender = new LenderSide(this.global, (region, answer) => this.answer(region, answer));
    for (const each of regions) {
      const side = new RegionSide(each.estate, (report) => this.send(each.estate, report));
      this.sides.set(each.region.name, side);
    }
    for (const event of part.events) this.queue(event);
  }

  run(): RunResult {
    this.lender.attach();
    for (const side of this.sides.values()) side.attach();
    for (const { engine } of this.estates) engine.begin();
    const { maxTurns } = this.global.sim;
    while (!this.isOver()) {
      const next = this.next();
      if (next === undefined || this.violated() !== undefined || this.turns() >= maxTurns) break;
      if (this.events.nextMs <= next.sim.queue.nextMs) {
        this.nowMs = this.events.nextMs;
        this.events.pop()?.();
        continue;
      }
      next.engine.step();
      this.nowMs = next.sim.nowMs;
    }
    if (this.violated() === undefined && this.isOver()) this.endAll();
    return this.tell();
  }

  /** The plane at which something happens first. */
  private next(): Estate | undefined {
    let first: Estate | undefined;
    for (const estate of this.estates) {
      if (estate.isLost) continue;
      if (first === undefined || estate.sim.queue.nextMs < first.sim.queue.nextMs) first = estate;
    }
    return first;
  }

  private isOver(): boolean {
    const { world } = this.options;
    if (this.nowMs >= world.faultsUntilMs + world.healMs) return true;
    if (this.nowMs < world.faultsUntilMs + SETTLE_MS) return false;
    return this.live().every(({ engine }) => engine.isOver) && isSettled(this.realm);
  }

  private live(): readonly Estate[] {
    return this.estates.filter(({ isLost }) => !isLost);
  }

  private violated(): Estate | undefined {
    return this.estates.find(({ sim }) => sim.checks.violation !== undefined);
  }

  private endAll(): void {
    this.checks.atEnd(this.global.sim.checks.report);
    for (const { sim } of this.live()) {
      if (this.violated() === undefined) sim.checks.atEnd();
    }
  }

  private turns(): number {
    return this.estates.reduce((sum, { sim }) => sum + sim.turns, this.eventsBefore);
  }

  private send(from: Estate, report: RegionReport): void {
    const { global, wan, checks } = this;
    const at = from.sim.nowMs;
    checks.reported(report, from.sim.checks.report);
    from.sim.trace?.say("region-link", `reports revision ${report.revision} to the global plane`);
    for (const delay of wan.delaysOf(from.name, "to-global", at)) {
      global.at(at + delay, () => this.lender.hear(report));
    }
  }

  private answer(region: string, answer: ExchangeAnswer): void {
    const { global, wan, checks } = this;
    const to = this.estates.find(({ name }) => name === region);
    if (to === undefined || to.isLost) return;
    const at = global.sim.nowMs;
    if (answer.kind === "terms") checks.answered(answer.terms, global.sim.checks.report);
    global.sim.trace?.say("region-link", `answers ${region}: ${said(answer)}`);
    for (const delay of wan.delaysOf(region, "to-region", at)) {
      to.at(at + delay, () => this.sides.get(region)?.hear(answer));
    }
  }

  private queue(event: RegionalEvent): void {
    if (event.event === "restore") this.events.push(event.atMs, () => this.restore(event));
    if (event.event === "lose") this.events.push(event.atMs, () => this.lose(event));
  }

  private lose({ region, atMs, saidAfterMs }: EventOf<"lose">): void {
    const lost = this.estates.find(({ name }) => name === region);
    if (lost === undefined) return;
    lost.isLost = true;
    this.global.sim.trace?.say("world", `${region} is lost for good`);
    this.events.push(atMs + saidAfterMs, () => this.sayGone(lost));
  }

  /** Again and again: a restore of the global plane may forget it. */
  private sayGone(lost: Estate): void {
    const { heard } =
      this.global.sim.truth.objects.all("Region").get(regionKey(lost.name))?.status ?? {};
    if (heard?.gone !== true) {
      this.lender.sayGone(lost.name, heard?.incarnation ?? lost.incarnation);
    }
    this.events.push(this.nowMs + SAY_AGAIN_MS, () => this.sayGone(lost));
  }

  private restore({ of, atMs, agoMs }: EventOf<"restore">): void {
    const estate = this.estates.find(({ name }) => name === of);
    if (estate === undefined || estate.isLost) return;
    const before = estate.sim;
    before.nowMs = atMs;
    const least = estate === this.global ? regionsMadeBy(before.store.commits) : 0;
    const kept = Math.max(least, this.checks.revisionAt(of, atMs - agoMs));
    const commits = before.store.commits.slice(0, kept);
    before.trace?.say("world", `${of} goes on from a backup of revision ${kept}`);
    this.eventsBefore += before.turns;
    this.tracesBefore.push(...linesOf(estate));
    estate.incarnation += 1;
    estate.replace(restoredStaging({ atMs, commits, before }));
    this.checks.whileRestoring(of, kept, () => estate.engine.begin());
    if (estate === this.global) this.lender.attach();
    else this.sides.get(of)?.attach();
  }

  private realmOf(
    regions: readonly { readonly region: RegionOfWorld; readonly estate: Estate }[],
  ): Realm {
    const nowMs = (): number => this.nowMs;
    return {
      get nowMs() {
        return nowMs();
      },
      global: truthOf(this.global),
      regions: regions.map(
        ({ region, estate }) =>
          Object.defineProperty(truthOf(estate), "termMs", {
            value: region.termMs,
          }) as Realm["regions"][number],
      ),
    };
  }

  private tell(): RunResult {
    const { options } = this;
    const { violation } = this.violated()?.sim.checks ?? {};
    const hash = new RunHash();
    for (const { sim } of this.estates) hash.add(Number.parseInt(sim.hash.toHex().slice(0, 8), 16));
    return {
      seed: options.seed,
      events: this.turns(),
      hash: hash.toHex(),
      violation,
      fired: [],
      trace: [...this.tracesBefore, ...this.estates.flatMap(linesOf)].toSorted(
        (a, b) => a.atMs - b.atMs,
      ),
      endedMs: this.nowMs,
    };
  }
}

/**
 * A backup from before a region had its plane knows nothing of that plane, and no rule could make
 * the global plane wait for it.
 */
function regionsMadeBy(commits: readonly Commit[]): Revision {
  const last = commits.findLast(({ changes }) =>
    changes.some(({ before, after }) => before === undefined && after?.kind === "Region"),
  );
  return last?.revision ?? 0;
}

const linesOf = ({ name, sim }: Estate): readonly TraceLine[] =>
  (sim.trace?.lines ?? []).map((line) => ({ ...line, component: `${name}/${line.component}` }));

const said = (answer: ExchangeAnswer): string =>
  answer.kind === "terms"
    ? `terms with ${answer.terms.grants.length} grants and ${answer.terms.objects.length} objects`
    : answer.kind === "rejected"
      ? answer.code
      : "unreachable";

function truthOf(estate: Estate): EstateTruth {
  return {
    name: estate.name,
    get truth() {
      return estate.sim.truth;
    },
    get incarnation() {
      return estate.incarnation;
    },
    get isLost() {
      return estate.isLost;
    },
    running: () => [...runningAt(estate)],
  };
}

function* runningAt({ sim, isLost }: Estate): Iterable<RunningWork> {
  if (isLost) return;
  for (const node of sim.truth.nodes.values()) {
    if (node.state !== "up") continue;
    for (const { replica, incarnation, asked } of node.all()) {
      yield { tenant: parseKey(replica).namespace, replica, incarnation, asked };
    }
  }
}
