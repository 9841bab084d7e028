/** One run of the fuzzer against a plane: draws cases from a seed, keeps what was slow or failed, and checks what was promised. */
import { setTimeout as sleep } from "node:timers/promises";
import type { AcknowledgedWrites } from "../e2e/chaos/acknowledged-writes.ts";
import type { HostilePlane } from "./a-hostile-plane.ts";
import { Draw } from "./draw.ts";
import { generateCase } from "./generate-case.ts";
import { collectionPath, rightManifests } from "./generate-manifest.ts";
import { HealthProber } from "./health-prober.ts";
import type { HostileCase } from "./hostile-case.ts";
import { joinedCase, checkTogether } from "./check-together.ts";
import { type Finding, Oracle, type Verdict } from "./oracle.ts";
import { type Answer, sendCase } from "./send-case.ts";
import { shrinkCase } from "./shrink-case.ts";
import { SlowCorpus } from "./slow-corpus.ts";

export interface FuzzBudget {
  readonly seed: number;
  readonly cases: number;
  /** Whichever is over first. */
  readonly seconds: number;
  /** The first of these cases alone are left out, to begin where another run was. */
  readonly from?: number;
}

export interface Found extends Finding {
  readonly case: HostileCase;
}

export interface FuzzReport {
  readonly cases: number;
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly found: readonly Found[];
  /** Dearest first. */
  readonly dearest: readonly { readonly costMs: number; readonly case: HostileCase }[];
  readonly acknowledged: number;
  readonly residentMiB: readonly [number, number];
}

/** The honest tenant writes about as often as this many cases are sent. */
const KEEP_EVERY = 25;
const LOOK_EVERY = 100;
/** Every so many cases is a change of one of the dearest so far. */
const CLIMB_EVERY = 4;
/** Sent at once: races are met, and a run gets further. */
const AT_ONCE = 8;
const TELL_EVERY_MS = 15_000;
/** Resident memory at the end, against the beginning: what was sent may be kept as objects, but not as garbage. */
const MEMORY = { factor: 2, moreMiB: 300 } as const;

/** Told while it runs. */
export interface FuzzListener {
  readonly tell: (line: string) => void;
  readonly onFound: (found: Found) => void;
}

export async function fuzz(
  world: HostilePlane,
  budget: FuzzBudget,
  listener: FuzzListener,
): Promise<FuzzReport> {
  const prober = new HealthProber(world.target.port);
  try {
    return await new Run(world, new Oracle(world, prober), listener).run(budget);
  } finally {
    prober.end();
  }
}

class Run {
  private readonly world: HostilePlane;
  private readonly oracle: Oracle;
  private readonly listener: FuzzListener;
  private readonly writes: AcknowledgedWrites;
  private readonly corpus = new SlowCorpus();
  private readonly found: Found[] = [];
  private readonly statuses = new Map<number, number>();
  /** One of them has changed what the next look finds changed. */
  private readonly sinceLook: HostileCase[] = [];
  private requests = 0;
  private revision = 0;

  constructor(world: HostilePlane, oracle: Oracle, listener: FuzzListener) {
    this.world = world;
    this.oracle = oracle;
    this.listener = listener;
    this.writes = world.aBookkeeper();
  }

  async run({ seed, cases, seconds, from = 0 }: FuzzBudget): Promise<FuzzReport> {
    await this.setTheTable();
    await this.oracle.begin();
    const startMiB = this.world.residentMiB();
    const endMs = performance.now() + seconds * 1_000;
    let toldMs = performance.now();
    let index = from;
    for (; index < from + cases && performance.now() < endMs; index += AT_ONCE) {
      if (index % LOOK_EVERY < AT_ONCE) await this.look(index);
      if (index % KEEP_EVERY < AT_ONCE) await this.keep(index);
      await this.several(Array.from({ length: AT_ONCE }, (_, at) => this.draw(seed, index + at)));
      if (performance.now() - toldMs < TELL_EVERY_MS) continue;
      toldMs = performance.now();
      this.listener.tell(this.progress(index - from));
    }
    const endMiB = await this.settledMiB(startMiB);
    await this.checkKept();
    return {
      cases: index - from,
      requests: this.requests,
      statuses: this.statuses,
      found: this.found,
      dearest: this.corpus.dearest,
      acknowledged: this.writes.count,
      residentMiB: [startMiB, endMiB],
    };
  }

  /** One object of each kind: whatever is refused here would never be reached by changes of it either. */
  private async setTheTable(): Promise<void> {
    const requests = rightManifests(this.world.published).map((manifest) => ({
      caller: "mallory" as const,
      method: "POST",
      path: collectionPath(manifest),
      headers: { "content-type": "application/json" },
      body: [JSON.stringify(manifest.value)],
    }));
    const refused = (await sendCase(this.world.target, requests)).filter(
      ({ status }) => status !== 201 && status !== 409,
    );
    if (refused[0] !== undefined)
      throw new Error(`A right object was refused: ${refused.map(({ text }) => text).join("\n")}`);
  }

  private draw(seed: number, index: number): HostileCase {
    const own = Draw.seedOf(seed, index);
    const drawn = generateCase(own, { published: this.world.published, revision: this.revision });
    return index % CLIMB_EVERY === 0 ? this.corpus.changed(own, drawn) : drawn;
  }

  /** All at once; where that was dear or something was found, each again by itself. */
  private async several(cases: readonly HostileCase[]): Promise<void> {
    this.sinceLook.push(...cases);
    const send = (all: readonly HostileCase[]) => this.oracle.together(all);
    const check = (one: HostileCase) => this.check(one);
    const note = (found: Found): void => this.note(found);
    const count = ({ answers }: Verdict): void => this.count(answers);
    await checkTogether({ send, check, note, count }, cases);
  }

  private count(answers: readonly Answer[]): void {
    this.requests += answers.length;
    for (const { status } of answers)
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  private async check(one: HostileCase): Promise<Finding["kind"] | undefined> {
    const { finding, costMs, answers } = await this.oracle.check(one);
    this.count(answers);
    if (finding === undefined) {
      this.corpus.note(one, costMs);
      return undefined;
    }
    const isKnown = this.found.some(
      (known) => known.kind === finding.kind && formOf(known.case) === formOf(one),
    );
    if (isKnown) return finding.kind;
    this.listener.tell(`found ${finding.kind} by ${one.name}: ${finding.what.slice(0, 300)}`);
    const small = await shrinkCase(one, async (smaller) => {
      const again = await this.oracle.once(smaller);
      return again.finding?.kind === finding.kind;
    });
    this.note({
      ...finding,
      case: { ...small, showed: `${finding.kind}: ${finding.what.slice(0, 300)}` },
    });
    return finding.kind;
  }

  private async look(index: number): Promise<void> {
    const finding = await this.oracle.honestFinding();
    this.revision = await this.world.revision().catch(() => this.revision);
    const sent = this.sinceLook.splice(0);
    if (finding === undefined) return;
    this.listener.tell(`found ${finding.kind} before case ${index}: ${finding.what}`);
    const { requests } = joinedCase(sent);
    const showed = `${finding.kind}: ${finding.what.slice(0, 300)}`;
    this.note({ ...finding, case: { name: `before-${index}`, showed, requests } });
    await this.oracle.begin();
  }

  private async keep(index: number): Promise<void> {
    const name = `kept-${index}`;
    await this.writes.create("tenants", {
      apiVersion: "berth.dev/v1",
      kind: "Tenant",
      metadata: { name },
      spec: {},
    } as { readonly metadata: { readonly name: string } });
    if (index % (3 * KEEP_EVERY) === 0) await this.writes.delete(`tenants/${name}`);
  }

  /** Everything that was acknowledged is there, and still is after a crash. */
  private async checkKept(): Promise<void> {
    await this.look(-1);
    const before = await this.writes.broken();
    await this.world.killAndWait();
    const after = await this.writes.broken();
    for (const what of [...before, ...after.map((one) => `after a crash: ${one}`)])
      this.note({ kind: "lost", what, case: { name: "kept", requests: [] } });
  }

  /** What is only garbage goes when there is nothing to do; that may take a collection or two. */
  private async settledMiB(startMiB: number): Promise<number> {
    const most = startMiB * MEMORY.factor + MEMORY.moreMiB;
    let least = Number.POSITIVE_INFINITY;
    for (let time = 0; time < 20; time += 1) {
      least = Math.min(least, this.world.residentMiB());
      if (least <= most) return least;
      await sleep(500);
    }
    const what = `${Math.round(least)} MiB resident; it began with ${Math.round(startMiB)}`;
    this.note({ kind: "memory", what, case: { name: "memory", requests: [] } });
    return least;
  }

  private note(found: Found): void {
    this.found.push(found);
    this.listener.onFound(found);
  }

  private progress(cases: number): string {
    const [dearest] = this.corpus.dearest;
    const dear =
      dearest === undefined
        ? ""
        : `, dearest ${Math.round(dearest.costMs)} ms ${dearest.case.name}`;
    return `${cases} cases, ${this.requests} requests, ${this.found.length} findings, ${Math.round(this.world.residentMiB())} MiB${dear}`;
  }
}

/** Cases of one form that fail in one way are taken for one finding. */
function formOf({ name, requests }: HostileCase): string {
  const [first] = requests;
  const type = first?.headers?.["content-type"] ?? "";
  const path = (first?.path ?? "").split("?")[0]?.split("/").slice(0, 7).join("/");
  return `${name.split("-")[0]} ${first?.method} ${path} ${type}`;
}
