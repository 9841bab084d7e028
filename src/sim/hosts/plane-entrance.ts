/**
 * Where requests wait in front of a plane that takes only so many commands in a second: by level,
 * as at the API. Worlds without such a plane have none, and pay nothing for it.
 */
import {
  FairSeats,
  type LevelBounds,
  type SeatBounds,
  type Ticket,
} from "../../core/admission/fair-seats.ts";
import type { ShareLevel } from "../../core/admission/share-level.ts";
import type { Sim } from "../sim.ts";
import type { Message } from "./message.ts";
import type { PlaneProcess } from "./plane-process.ts";

/** One request that has arrived. */
export interface Waiting extends Ticket {
  readonly message: Message;
  readonly call: number;
  readonly plane: PlaneProcess;
  readonly sinceMs: number;
}

/** A request is served at once when its turn comes, so a seat is never held. */
const ONE: Pick<
  LevelBounds,
  "own" | "borrows" | "perPayer" | "perPayerBesideOthers" | "perCaller"
> = { own: 1, borrows: 0, perPayer: 1, perPayerBesideOthers: 1, perCaller: 1 };
const LEASES: LevelBounds = { ...ONE, waiting: 512, waitingPerPayer: 64, waitingPerCaller: 64 };
/** Small, so that a flood of one simulated user fills them. */
const OTHERS: LevelBounds = { ...ONE, waiting: 32, waitingPerPayer: 16, waitingPerCaller: 16 };
const BOUNDS: SeatBounds = {
  levels: {
    leases: LEASES,
    // What the plane's own controllers send is bounded by what they decide.
    controllers: { ...LEASES, waiting: 4_096, waitingPerPayer: 4_096, waitingPerCaller: 4_096 },
    system: OTHERS,
    people: OTHERS,
    bulk: OTHERS,
  },
  common: 0,
  seenMs: 0,
};

export class PlaneEntrance {
  private readonly sim: Sim;
  private readonly everyMs: number;
  private seats = new FairSeats(BOUNDS);
  private readonly waiting = new Set<Waiting>();
  private isServing = false;

  constructor(sim: Sim, commandsPerSecond: number) {
    this.sim = sim;
    this.everyMs = Math.max(1, Math.floor(1_000 / commandsPerSecond));
    sim.truth.entrance = this.waiting;
  }

  /** False: there is no room for it. */
  enter(plane: PlaneProcess, call: number, message: Message): boolean {
    const { client } = message;
    const payer = client.name;
    const ticket = { level: levelOf(message), payer, caller: payer, seats: 1 };
    const waiting: Waiting = { ...ticket, message, call, plane, sinceMs: this.sim.nowMs };
    if (this.seats.offer(waiting, this.sim.nowMs) !== undefined) return false;
    this.waiting.add(waiting);
    this.goOn();
    return true;
  }

  /** The request whose turn it is. */
  next(): Waiting | undefined {
    this.isServing = false;
    const next = this.seats.next(this.sim.nowMs) as Waiting | undefined;
    if (next === undefined) return undefined;
    this.waiting.delete(next);
    this.seats.finish(next, this.sim.nowMs);
    this.goOn();
    return next;
  }

  /** Its plane has stopped, and forgot them. */
  clear(): void {
    this.seats = new FairSeats(BOUNDS);
    this.waiting.clear();
  }

  private goOn(): void {
    if (this.isServing || this.waiting.size === 0) return;
    this.isServing = true;
    const [first] = this.waiting;
    if (first === undefined) return;
    this.sim.after(this.everyMs, { kind: "serve-next", plane: first.plane });
  }
}

function levelOf({ client }: Message): ShareLevel {
  if (client.machine !== undefined || client.name.startsWith("agent:")) return "leases";
  return client.name === "user" || client.isHostile ? "people" : "controllers";
}
