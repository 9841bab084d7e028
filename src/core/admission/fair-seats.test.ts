import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairSeats, type LevelBounds, type SeatBounds, type Ticket } from "./fair-seats.ts";
import { SHARE_LEVELS, type ShareLevel } from "./share-level.ts";

const bounds = (of: Partial<LevelBounds> = {}, common = 3): SeatBounds => {
  const level = {
    own: 2,
    borrows: 2,
    perPayer: 3,
    perPayerBesideOthers: 3,
    perCaller: 3,
    waiting: 6,
    waitingPerPayer: 4,
    waitingPerCaller: 3,
    ...of,
  };
  const levels = { controllers: level, system: level, people: level, bulk: level };
  return { levels: { leases: { ...level, borrows: 0 }, ...levels }, common, seenMs: 10 };
};

const ticket = (payer: string, of: Partial<Ticket> = {}): Ticket => ({
  level: "people",
  payer,
  caller: "",
  seats: 1,
  ...of,
});

interface Known {
  readonly ticket: Ticket;
  readonly cameAt: number;
  readonly cameMs: number;
  begunAt?: number;
  seats?: number;
  overAt?: number;
  overMs?: number;
}

/** The same rules, worked out anew from everything that ever happened. */
class NaiveSeats {
  private readonly bounds: SeatBounds;
  private readonly all: Known[] = [];
  private readonly offers: (Ticket & { readonly atMs: number })[] = [];
  private now = 0;

  constructor(seatBounds: SeatBounds) {
    this.bounds = seatBounds;
  }

  private waiting(isMeant: (ticket: Ticket) => boolean): Known[] {
    return this.all.filter(
      (each) => isMeant(each.ticket) && each.begunAt === undefined && each.overAt === undefined,
    );
  }

  running(isMeant: (ticket: Ticket) => boolean): number {
    return this.all
      .filter(
        (each) => isMeant(each.ticket) && each.begunAt !== undefined && each.overAt === undefined,
      )
      .reduce((sum, { seats = 0 }) => sum + seats, 0);
  }

  offer(offered: Ticket, nowMs: number): string | undefined {
    this.offers.push({ ...offered, atMs: nowMs });
    const { waiting, waitingPerPayer, waitingPerCaller } = this.bounds.levels[offered.level];
    const inLevel = this.waiting(({ level }) => level === offered.level);
    const own = inLevel.filter((each) => each.ticket.payer === offered.payer);
    const ofCaller = own.filter((each) => each.ticket.caller === offered.caller);
    if (ofCaller.length >= waitingPerCaller) return "caller";
    if (own.length >= waitingPerPayer) return "payer";
    if (inLevel.length >= waiting) return "level";
    this.now += 1;
    this.all.push({ ticket: offered, cameAt: this.now, cameMs: nowMs });
    return undefined;
  }

  end(ticketOver: Ticket, nowMs: number): void {
    this.now += 1;
    for (const each of this.all) {
      if (each.ticket !== ticketOver || each.overAt !== undefined) continue;
      each.overAt = this.now;
      if (each.begunAt !== undefined) this.offers.push({ ...ticketOver, atMs: nowMs });
    }
  }

  /** Whether another payer came, or was answered, a moment ago, here or in a more urgent level. */
  private isBesideOthers(name: ShareLevel, of: string, nowMs: number): boolean {
    return this.offers.some(
      ({ level, payer, atMs }) =>
        level !== "leases" &&
        SHARE_LEVELS.indexOf(level) <= SHARE_LEVELS.indexOf(name) &&
        payer !== of &&
        nowMs - atMs <= this.bounds.seenMs,
    );
  }

  /** When they were served last, or came after they had held and wanted nothing. */
  private turnOf(isMeant: (ticket: Ticket) => boolean): number {
    const own = this.all.filter((each) => isMeant(each.ticket));
    let since = 0;
    for (const { cameAt } of own) {
      const isBusy = own.some(
        (each) => each.cameAt < cameAt && (each.overAt ?? Number.POSITIVE_INFINITY) > cameAt,
      );
      if (!isBusy) since = cameAt;
    }
    return Math.max(since, ...own.map(({ begunAt = 0 }) => begunAt));
  }

  private first(isMeant: ((ticket: Ticket) => boolean)[]): (ticket: Ticket) => boolean {
    return isMeant.toSorted(
      (one, other) =>
        this.running(one) - this.running(other) || this.turnOf(one) - this.turnOf(other),
    )[0]!;
  }

  private borrowed(level: ShareLevel, more = 0): number {
    const running = this.running((each) => each.level === level);
    return Math.max(0, running + more - this.bounds.levels[level].own);
  }

  next(nowMs: number): Ticket | undefined {
    let mayBorrow = true;
    for (const level of SHARE_LEVELS) {
      const of = this.bounds.levels[level];
      const { own, borrows, perPayer, perPayerBesideOthers, perCaller } = of;
      const all = own + Math.min(borrows, this.bounds.common);
      const most = Math.min(perPayer, perPayerBesideOthers, perCaller, all);
      const payers = [
        ...new Set(this.waiting((each) => each.level === level).map((each) => each.ticket.payer)),
      ];
      const candidates = payers.flatMap((payer) => {
        const ofPayer = (each: Ticket): boolean => each.level === level && each.payer === payer;
        const callers = [...new Set(this.waiting(ofPayer).map((each) => each.ticket.caller))]
          .map((caller) => (each: Ticket) => ofPayer(each) && each.caller === caller)
          .filter(
            (ofCaller) =>
              this.running(ofCaller) + Math.min(this.waiting(ofCaller)[0]!.ticket.seats, most) <=
              perCaller,
          );
        if (callers.length === 0) return [];
        const head = this.waiting(this.first(callers))[0]!;
        const seats = Math.min(head.ticket.seats, most);
        const ofThis = this.isBesideOthers(level, payer, nowMs) ? perPayerBesideOthers : perPayer;
        return this.running(ofPayer) + seats > ofThis ? [] : [{ ofPayer, head, seats }];
      });
      if (candidates.length === 0) continue;
      const chosen = this.first(candidates.map(({ ofPayer }) => ofPayer));
      const { head, seats } = candidates.find(({ ofPayer }) => ofPayer === chosen)!;
      const after = this.borrowed(level, seats);
      const lent = SHARE_LEVELS.reduce((sum, each) => sum + this.borrowed(each), 0);
      const isFree = lent - this.borrowed(level) + after <= this.bounds.common;
      if (after === 0 || (mayBorrow && after <= borrows && isFree)) {
        this.now += 1;
        head.begunAt = this.now;
        head.seats = seats;
        return head.ticket;
      }
      if (after <= borrows) mayBorrow = false;
    }
    return undefined;
  }
}

const steps = fc.array(
  fc.record({
    verb: fc.constantFrom("offer", "offer", "offer", "next", "next", "end"),
    level: fc.constantFrom(...SHARE_LEVELS),
    payer: fc.constantFrom("a", "b", "c"),
    caller: fc.constantFrom("t", "u"),
    seats: fc.integer({ min: 1, max: 5 }),
    passed: fc.constantFrom(0, 0, 0, 1, 4, 11),
    pick: fc.nat(),
  }),
  { maxLength: 60, size: "max" },
);

const fill = (seats: FairSeats, tickets: readonly Ticket[]): void => {
  for (const each of tickets) expect(seats.offer(each, 0)).toBeUndefined();
};
const drain = (seats: FairSeats): readonly string[] => {
  const begun: string[] = [];
  for (let each = seats.next(0); each !== undefined; each = seats.next(0)) begun.push(each.payer);
  return begun;
};

describe("FairSeats", () => {
  it("[FS1] [FS2] [FS3] begins the same requests as a model that works everything out anew", () => {
    const drawn = fc.record({
      steps,
      own: fc.nat(3),
      common: fc.nat(4),
      most: fc.nat(4),
      less: fc.nat(2),
      caller: fc.nat(3),
    });
    fc.assert(
      fc.property(drawn, ({ steps: moves, own, common, most, less, caller }) => {
        const few = Math.max(1, most + 1 - less);
        const per = { perPayer: most + 1, perPayerBesideOthers: few, perCaller: caller + 1 };
        const of = bounds({ own: own + 1, ...per }, common);
        let nowMs = 0;
        const seats = new FairSeats(of);
        const naive = new NaiveSeats(of);
        const there: Ticket[] = [];
        const said: unknown[][] = [];
        for (const { verb, pick, passed, ...asked } of moves) {
          nowMs += passed;
          if (verb === "offer") {
            const offered = { ...asked };
            const full = naive.offer(offered, nowMs);
            said.push([seats.offer(offered, nowMs), full]);
            if (full === undefined) there.push(offered);
          } else if (verb === "next") {
            said.push([seats.next(nowMs), naive.next(nowMs)]);
          } else if (there.length > 0) {
            const [over] = there.splice(pick % there.length, 1);
            naive.end(over!, nowMs);
            seats.withdraw(over!);
            seats.finish(over!, nowMs);
          }
          let lent = 0;
          for (const level of SHARE_LEVELS) {
            const running = seats.runningOf(level);
            expect(running).toBe(naive.running((each) => each.level === level));
            expect(running).toBeLessThanOrEqual(of.levels[level].own + of.levels[level].borrows);
            expect(seats.waitingOf(level)).toBeLessThanOrEqual(of.levels[level].waiting);
            lent += Math.max(0, running - of.levels[level].own);
          }
          expect(lent).toBeLessThanOrEqual(of.common);
        }
        for (const [answer, model] of said) expect(answer).toBe(model);
      }),
      { numRuns: 300 },
    );
  });

  it("[FS1] no load of the levels below keeps a lease from its seat", () => {
    const seats = new FairSeats(bounds());
    const levels = ["controllers", "system", "people", "bulk"] as const;
    fill(
      seats,
      levels.flatMap((level) => ["a", "b", "c"].map((payer) => ticket(payer, { level }))),
    );
    drain(seats);
    fill(seats, [ticket("node", { level: "leases" })]);
    expect(drain(seats)).toEqual(["node"]);
  });

  it("[FS2] a caller who comes seldom is next, however many requests of another wait", () => {
    const seats = new FairSeats(bounds({ own: 3, borrows: 0 }));
    const flood = ["1", "2", "3", "4"].map((caller) => ticket("mallory", { caller }));
    fill(seats, flood);
    expect(drain(seats)).toEqual(["mallory", "mallory", "mallory"]);
    fill(seats, [ticket("ana")]);
    seats.finish(flood[0]!, 0);
    expect(drain(seats)).toEqual(["ana"]);
  });

  it("[FS2] callers who come anew all the time do not keep one waiting who was there before", () => {
    const seats = new FairSeats(bounds({ own: 1, borrows: 0 }));
    let running = ticket("n0");
    fill(seats, [running]);
    drain(seats);
    fill(seats, [ticket("ana")]);
    const order: string[] = [];
    for (let at = 1; at < 4; at += 1) {
      const fresh = ticket(`n${at}`);
      fill(seats, [fresh]);
      seats.finish(running, 0);
      running = seats.next(0)!;
      order.push(running.payer);
    }
    expect(order[0]).toBe("ana");
  });

  it("[FS3] a wide request is not passed by those below that would take its seats", () => {
    const seats = new FairSeats(
      bounds({ own: 1, borrows: 3, perPayer: 4, perPayerBesideOthers: 4, perCaller: 4 }, 3),
    );
    const first = ticket("a", { level: "bulk", seats: 3 });
    fill(seats, [first]);
    drain(seats);
    fill(seats, [ticket("b", { seats: 4 }), ticket("c", { level: "bulk" })]);
    expect(drain(seats)).toEqual([]);
    seats.finish(first, 0);
    expect(drain(seats)).toEqual(["b", "c"]);
  });

  it("[FS2] a payer that is not alone holds fewer seats, until the others have been gone for a while", () => {
    const seats = new FairSeats(
      bounds({ own: 6, perPayer: 5, perPayerBesideOthers: 2, waiting: 9 }),
    );
    const wants = ["1", "2", "3"].map((caller) => ticket("mallory", { caller }));
    const ana = ticket("ana");
    fill(seats, [ana]);
    expect(drain(seats)).toEqual(["ana"]);
    fill(seats, wants);
    expect(drain(seats)).toEqual(["mallory", "mallory"]);
    seats.finish(ana, 0);
    expect(seats.next(10)).toBeUndefined();
    expect(seats.next(11)).toBe(wants[2]);
  });
});
