/**
 * What must stay true whatever is sent: the plane lives, its health is answered, no request costs its main thread long, no answer
 * is an internal error, no secret gets out to another node's agent, the honest tenant and its node are as before: its lease was
 * never late.
 */
import { CANARY } from "./a-hostile-plane.ts";
import type { HostileCase, HostileRequest } from "./hostile-case.ts";
import { type Answer, ANSWER_MS, sendCase, type Target } from "./send-case.ts";

/** What the oracle looks at; see `a-hostile-plane.ts`. */
export interface CheckedWorld {
  readonly plane: { readonly starts: number };
  readonly target: Target;
  busyMs(): number;
  get(path: string): Promise<unknown>;
  until<T>(what: string, look: () => Promise<T | undefined>): Promise<T>;
  untilServing(): Promise<void>;
  honestState(): Promise<string>;
  lastWords(): string;
}

/** Tells the longest time without health since it was last asked. */
export interface Prober {
  worstMs(): Promise<number>;
}

export interface Finding {
  readonly kind:
    | "died"
    | "slow"
    | "silent"
    | "internal-error"
    | "leak"
    | "changed"
    | "wrong-answer"
    | "memory"
    | "lost";
  readonly what: string;
}

export interface Verdict {
  readonly finding?: Finding;
  /** The plane's main thread, for the dearest request of the case. */
  readonly costMs: number;
  readonly answers: readonly Answer[];
}

/**
 * Of the main thread's own time on a processor, for one request; others' load does not count. A lease is renewed every few
 * seconds and lasts longer than ten of these, so one request alone delays none.
 */
export const SLOW_MS = 400;
/** So much is no matter of caches and compilers that had to warm up. */
const SURE_MS = 4 * SLOW_MS;
/** Between a probe and its answer. The machine may be busy, so that this alone is looked at again before it counts. */
const SILENT_MS = 2_000;
/** How often a case that was slow or silent must be so again. */
const AGAIN = 3;

export class Oracle {
  private readonly world: CheckedWorld;
  private readonly prober: Prober;
  private honest = "";

  constructor(world: CheckedWorld, prober: Prober) {
    this.world = world;
    this.prober = prober;
  }

  /** What the honest tenant has now is what it must keep. */
  async begin(): Promise<void> {
    await this.world.untilServing();
    this.honest = await this.world.honestState();
    await this.prober.worstMs();
  }

  /** Sends a case; what looked slow is sent again, alone, because the machine has other users. */
  async check(one: HostileCase): Promise<Verdict> {
    const first = await this.once(one);
    const isDoubtful = first.finding?.kind === "silent" || first.finding?.kind === "slow";
    if (!isDoubtful || first.costMs > SURE_MS) return first;
    let least = first;
    for (let time = 0; time < AGAIN; time += 1) {
      const again = await this.once(one);
      if (again.finding === undefined)
        return { ...again, costMs: Math.min(first.costMs, again.costMs) };
      if (again.finding.kind === "died" || again.costMs < least.costMs) least = again;
    }
    return least;
  }

  /** Cases sent at once: first what all of them cost and did together, then each one's answers. */
  async together(cases: readonly HostileCase[]): Promise<readonly [Verdict, ...Verdict[]]> {
    const { plane, target } = this.world;
    const { starts } = plane;
    const before = this.world.busyMs();
    const all = await Promise.all(cases.map(({ requests }) => sendCase(target, requests)));
    const death = await this.deathOf(starts);
    const costMs = this.world.busyMs() - before;
    const gapMs = await this.prober.worstMs();
    const finding = death ?? slowness(0, gapMs);
    const each = all.map((answers, at): Verdict => {
      const one = cases[at];
      const wrong = one && answerFinding(one, answers);
      return { costMs: 0, answers, ...(wrong && { finding: wrong }) };
    });
    return [{ costMs, answers: [], ...(finding && { finding }) }, ...each];
  }

  /** Sent once; what is slow may be the machine's fault. */
  async once(one: HostileCase): Promise<Verdict> {
    const { plane, target } = this.world;
    const { starts } = plane;
    const answers: Answer[] = [];
    let costMs = 0;
    for (const group of groupsOf(one.requests)) {
      const before = this.world.busyMs();
      answers.push(...(await sendCase(target, group, one.answers && ANSWER_MS)));
      // A sender that gave up, or only sent, knows nothing of what the plane still does for it.
      await this.untilAnswering();
      costMs = Math.max(costMs, (this.world.busyMs() - before) / sentIn(group));
      if (plane.starts !== starts) break;
    }
    const death = await this.deathOf(starts);
    const gapMs = await this.prober.worstMs();
    const finding = death ?? answerFinding(one, answers) ?? slowness(costMs, gapMs);
    return { costMs, answers, ...(finding && { finding }) };
  }

  /** A plane that is stuck may yet die: it is waited for until it answers, or another process does. */
  private async deathOf(starts: number): Promise<Finding | undefined> {
    await this.untilAnswering();
    if (this.world.plane.starts === starts) return undefined;
    return { kind: "died", what: this.world.lastWords().slice(0, 600) };
  }

  private async untilAnswering(): Promise<void> {
    await this.world.until("the plane to answer", async () =>
      (await this.world.get("/readyz")) === undefined ? undefined : true,
    );
  }

  /** Looked at once in a while, and at the end. */
  async honestFinding(): Promise<Finding | undefined> {
    const now = await this.world.honestState().catch(String);
    if (now === this.honest) return undefined;
    return { kind: "changed", what: `The honest tenant had\n${this.honest}\nand has\n${now}` };
  }
}

const sentIn = (group: readonly HostileRequest[]): number =>
  group.reduce((sum, { times = 1 }) => sum + times, 0);

/** Requests that are sent at once share their cost; all others are measured one by one. */
function groupsOf(requests: readonly HostileRequest[]): readonly (readonly HostileRequest[])[] {
  const groups: HostileRequest[][] = [];
  let isOpen = false;
  for (const request of requests) {
    if (isOpen) groups.at(-1)?.push(request);
    else groups.push([request]);
    isOpen = request.isParallel === true;
  }
  return groups;
}

function answerFinding(one: HostileCase, answers: readonly Answer[]): Finding | undefined {
  for (const { request, status, text } of answers) {
    const where = `${request.caller}: ${request.method} ${request.path.slice(0, 200)}`;
    const isOwnError = status === 500 || text.includes('"internal-error"');
    if (isOwnError) return { kind: "internal-error", what: `${where}: ${text.slice(0, 500)}` };
    const isOutsider =
      request.caller === "n2" || request.caller === "n3" || request.caller === "stranger";
    if (isOutsider && text.includes(CANARY)) return { kind: "leak", what: where };
  }
  const wrong = answers.flatMap(({ status, text }, at) => {
    const allowed = one.answers?.[at];
    const held = one.holds?.[at] ?? "";
    if (allowed !== undefined && !allowed.includes(status))
      return [`answer ${at + 1} was ${status}, not ${allowed.join(" or ")}: ${text.slice(0, 200)}`];
    return text.includes(held)
      ? []
      : [`answer ${at + 1} does not hold ${held}: ${text.slice(0, 500)}`];
  });
  return wrong[0] === undefined ? undefined : { kind: "wrong-answer", what: wrong[0] };
}

function slowness(costMs: number, gapMs: number): Finding | undefined {
  if (costMs > SLOW_MS)
    return { kind: "slow", what: `${Math.round(costMs)} ms of the plane's main thread` };
  if (gapMs > SILENT_MS) return { kind: "silent", what: `no health for ${Math.round(gapMs)} ms` };
  return undefined;
}
