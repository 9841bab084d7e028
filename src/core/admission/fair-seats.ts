/**
 * Which request may begin next. Each level owns seats that no other level takes, and borrows from a
 * common part up to its bound; the common part goes to the most urgent level that waits. Within a
 * level, the next seat goes to the payer who holds the fewest, and within a payer to the caller who
 * holds the fewest; among equals to the one that was served longest ago. A payer that is not alone
 * holds fewer seats: a request in progress is not interrupted, so the next payer waits for it.
 * Clocks, sockets and promises are the gate's.
 *
 * Every flow, a payer's caller, has a queue of its own, where Kubernetes deals flows out to shards:
 * flows exist only while they hold or want a seat, so the bounds of the queues bound them too, and
 * no two flows ever share a queue by chance. Seats held, not requests served, are compared: a flow
 * of slow requests gets no more of the server than one of fast ones, and a caller who comes seldom
 * is next in turn.
 */
import { SHARE_LEVELS, type ShareLevel } from "./share-level.ts";

export interface LevelBounds {
  /** Seats that no other level takes. */
  readonly own: number;
  /** The most that it takes of the common part. */
  readonly borrows: number;
  readonly perPayer: number;
  /** Where others have been seen lately. */
  readonly perPayerBesideOthers: number;
  readonly perCaller: number;
  readonly waiting: number;
  readonly waitingPerPayer: number;
  readonly waitingPerCaller: number;
}

export interface SeatBounds {
  readonly levels: Readonly<Record<ShareLevel, LevelBounds>>;
  readonly common: number;
  /** For how long a payer counts as one that is there. */
  readonly seenMs: number;
}

export interface Ticket {
  readonly level: ShareLevel;
  /** Whose use this is: a tenant, or a caller where a request is about no tenant. */
  readonly payer: string;
  readonly caller: string;
  readonly seats: number;
}

/** Which queue is full. */
export type FullQueue = "level" | "payer" | "caller";

interface Flow {
  readonly queue: Ticket[];
  running: number;
  turn: number;
}

interface Payer {
  readonly flows: Map<string, Flow>;
  running: number;
  waiting: number;
  turn: number;
}

interface Level {
  readonly payers: Map<string, Payer>;
  /** The payer seen last, and the last one but that. */
  readonly seen: [Seen, Seen];
  running: number;
  waiting: number;
}

interface Seen {
  readonly payer: string;
  readonly atMs: number;
}

/** The seats of running tickets, as they were given. */
type Running = Map<Ticket, number>;

export class FairSeats {
  readonly bounds: SeatBounds;
  private readonly levels: Readonly<Record<ShareLevel, Level>>;
  private readonly running: Running = new Map();
  /** Seats of the common part in use. */
  private lent = 0;
  /** Requests of all levels that wait. Mostly there are none, and no level is looked through. */
  private waiting = 0;
  private turns = 0;

  constructor(bounds: SeatBounds) {
    this.bounds = bounds;
    this.levels = {
      leases: emptyLevel(),
      controllers: emptyLevel(),
      system: emptyLevel(),
      people: emptyLevel(),
      bulk: emptyLevel(),
    };
  }

  runningOf(level: ShareLevel): number {
    return this.levels[level].running;
  }

  waitingOf(level: ShareLevel): number {
    return this.levels[level].waiting;
  }

  ofPayer({
    level,
    payer,
  }: Pick<Ticket, "level" | "payer">): Readonly<Pick<Payer, "running" | "waiting">> {
    return this.levels[level].payers.get(payer) ?? { running: 0, waiting: 0 };
  }

  ofFlow(of: Omit<Ticket, "seats">): {
    readonly seats: number;
    readonly waiting: number;
  } {
    const flow = this.flowOf(of);
    return { seats: flow?.running ?? 0, waiting: flow?.queue.length ?? 0 };
  }

  /** Which queue has no room for another request of this payer; undefined when it has. */
  fullFor(of: Omit<Ticket, "seats">): FullQueue | undefined {
    const { waiting, waitingPerPayer, waitingPerCaller } = this.bounds.levels[of.level];
    if (this.ofFlow(of).waiting >= waitingPerCaller) return "caller";
    if (this.ofPayer(of).waiting >= waitingPerPayer) return "payer";
    return this.levels[of.level].waiting >= waiting ? "level" : undefined;
  }

  /** The ticket waits, even for a free seat: `next` says when it may begin. */
  offer(ticket: Ticket, nowMs: number): FullQueue | undefined {
    this.see(ticket, nowMs);
    const full = this.fullFor(ticket);
    if (full !== undefined) return full;
    const level = this.levels[ticket.level];
    const payer = level.payers.get(ticket.payer) ?? this.aPayer();
    const flow = payer.flows.get(ticket.caller) ?? this.aFlow();
    flow.queue.push(ticket);
    payer.flows.set(ticket.caller, flow);
    level.payers.set(ticket.payer, payer);
    payer.waiting += 1;
    level.waiting += 1;
    this.waiting += 1;
    return undefined;
  }

  /** The next one of these levels that may begin; it holds its seats from now on. */
  next(nowMs: number, levels: readonly ShareLevel[] = SHARE_LEVELS): Ticket | undefined {
    if (this.waiting === 0) return undefined;
    // A level that waits for common seats has the first that come free: none goes past it.
    let mayBorrow = true;
    for (const name of levels) {
      if (this.levels[name].waiting === 0) continue;
      const first = this.firstOf(name, nowMs);
      if (first === undefined) continue;
      if (this.fits(name, this.seatsFor(first), mayBorrow)) {
        this.begin(first);
        return first;
      }
      if (this.waitsForCommon(name, this.seatsFor(first))) mayBorrow = false;
    }
    return undefined;
  }

  /** It was answered. */
  finish(ticket: Ticket, nowMs: number): void {
    const seats = this.running.get(ticket);
    if (seats === undefined) return;
    this.see(ticket, nowMs);
    this.running.delete(ticket);
    this.hold(ticket, -seats);
    this.forget(ticket);
  }

  /** It waits no longer. */
  withdraw(ticket: Ticket): void {
    const flow = this.flowOf(ticket);
    const at = flow?.queue.indexOf(ticket) ?? -1;
    if (at < 0) return;
    this.unqueue(ticket, at);
    this.forget(ticket);
  }

  /** A request for more seats than its caller may hold at all takes all of those. */
  private seatsFor({ level, seats }: Ticket): number {
    const { own, borrows, perPayer, perPayerBesideOthers, perCaller } = this.bounds.levels[level];
    const all = own + Math.min(borrows, this.bounds.common);
    return Math.max(1, Math.min(seats, perPayer, perPayerBesideOthers, perCaller, all));
  }

  /** The request whose turn it is in the level, whether or not a seat is free. */
  private firstOf(name: ShareLevel, nowMs: number): Ticket | undefined {
    let best: { readonly payer: Payer; readonly ticket: Ticket } | undefined;
    for (const [key, payer] of this.levels[name].payers) {
      if (payer.waiting === 0 || (best !== undefined && !isBefore(payer, best.payer))) continue;
      const ticket = this.firstIn(payer, name, this.mostOf(name, key, nowMs));
      if (ticket !== undefined) best = { payer, ticket };
    }
    return best?.ticket;
  }

  /** Undefined: the payer holds all that it may. */
  private firstIn(payer: Payer, name: ShareLevel, most: number): Ticket | undefined {
    const { perCaller } = this.bounds.levels[name];
    let best: Flow | undefined;
    for (const flow of payer.flows.values()) {
      const [first] = flow.queue;
      if (first === undefined || (best !== undefined && !isBefore(flow, best))) continue;
      if (flow.running + this.seatsFor(first) <= perCaller) best = flow;
    }
    const first = best?.queue[0];
    if (first === undefined) return undefined;
    return payer.running + this.seatsFor(first) <= most ? first : undefined;
  }

  /** A payer alone may have most seats; beside others, few enough that theirs come soon. */
  private mostOf(name: ShareLevel, payer: string, nowMs: number): number {
    const { perPayer, perPayerBesideOthers } = this.bounds.levels[name];
    return this.isBesideOthers(name, payer, nowMs) ? perPayerBesideOthers : perPayer;
  }

  /** Leases come all the time, and say nothing about other callers. */
  private isBesideOthers(name: ShareLevel, payer: string, nowMs: number): boolean {
    if (name === "leases") return false;
    for (const level of SHARE_LEVELS) {
      if (level === "leases") continue;
      const [last, before] = this.levels[level].seen;
      const { atMs } = last.payer === payer ? before : last;
      if (nowMs - atMs <= this.bounds.seenMs) return true;
      if (level === name) break;
    }
    return false;
  }

  private see({ level, payer }: Ticket, nowMs: number): void {
    const { seen } = this.levels[level];
    if (seen[0].payer !== payer) seen[1] = seen[0];
    seen[0] = { payer, atMs: nowMs };
  }

  private fits(name: ShareLevel, seats: number, mayBorrow: boolean): boolean {
    const borrowed = this.borrowedWith(name, seats);
    if (borrowed === 0) return true;
    const more = borrowed - this.borrowedWith(name, 0);
    const { borrows } = this.bounds.levels[name];
    return mayBorrow && borrowed <= borrows && this.lent + more <= this.bounds.common;
  }

  private waitsForCommon(name: ShareLevel, seats: number): boolean {
    return this.borrowedWith(name, seats) <= this.bounds.levels[name].borrows;
  }

  private borrowedWith(name: ShareLevel, seats: number): number {
    return Math.max(0, this.levels[name].running + seats - this.bounds.levels[name].own);
  }

  private begin(ticket: Ticket): void {
    this.unqueue(ticket, 0);
    const seats = this.seatsFor(ticket);
    this.running.set(ticket, seats);
    this.hold(ticket, seats);
    const payer = this.levels[ticket.level].payers.get(ticket.payer);
    const flow = payer?.flows.get(ticket.caller);
    this.turns += 1;
    if (payer !== undefined) payer.turn = this.turns;
    if (flow !== undefined) flow.turn = this.turns;
  }

  private hold(ticket: Ticket, seats: number): void {
    const level = this.levels[ticket.level];
    const payer = level.payers.get(ticket.payer);
    const flow = payer?.flows.get(ticket.caller);
    this.lent -= this.borrowedWith(ticket.level, 0);
    level.running += seats;
    this.lent += this.borrowedWith(ticket.level, 0);
    if (payer !== undefined) payer.running += seats;
    if (flow !== undefined) flow.running += seats;
  }

  private unqueue(ticket: Ticket, at: number): void {
    const level = this.levels[ticket.level];
    const payer = level.payers.get(ticket.payer);
    payer?.flows.get(ticket.caller)?.queue.splice(at, 1);
    if (payer !== undefined) payer.waiting -= 1;
    level.waiting -= 1;
    this.waiting -= 1;
  }

  private flowOf({ level, payer, caller }: Omit<Ticket, "seats">): Flow | undefined {
    return this.levels[level].payers.get(payer)?.flows.get(caller);
  }

  /** Nothing is kept of those that hold and want nothing. */
  private forget({ level, payer: name, caller }: Ticket): void {
    const { payers } = this.levels[level];
    const payer = payers.get(name);
    const flow = payer?.flows.get(caller);
    if (flow?.running === 0 && flow.queue.length === 0) payer?.flows.delete(caller);
    if (payer?.flows.size === 0) payers.delete(name);
  }

  /** One that comes now is behind those that wait already. */
  private aPayer(): Payer {
    this.turns += 1;
    return { flows: new Map(), running: 0, waiting: 0, turn: this.turns };
  }

  private aFlow(): Flow {
    this.turns += 1;
    return { queue: [], running: 0, turn: this.turns };
  }
}

const emptyLevel = (): Level => ({
  payers: new Map(),
  seen: [NONE_SEEN, NONE_SEEN],
  running: 0,
  waiting: 0,
});

const NONE_SEEN: Seen = { payer: "", atMs: Number.NEGATIVE_INFINITY };

interface InTurn {
  readonly running: number;
  readonly turn: number;
}

const isBefore = (one: InTurn, other: InTurn): boolean =>
  one.running < other.running || (one.running === other.running && one.turn < other.turn);
