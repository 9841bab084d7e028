/** How many requests of each level may be in progress and wait. */
import { type Limit, limitValues } from "../../core/model/limits/limit.ts";
import type { LevelBounds, SeatBounds } from "../../core/admission/fair-seats.ts";

const REFUSED = "429 `too-many-requests` with Retry-After";
const WAITS = "the request waits for its turn";

export const SHARE_LIMITS = {
  leasesSeats: {
    value: 256,
    unit: "count",
    of: "leases and reports of agents in progress; seats that no other level takes",
    beyond: WAITS,
    why: "they wait for the log together, and one commit takes many",
  },
  leasesSeatsPerCaller: {
    value: 32,
    unit: "count",
    of: "such requests of one agent",
    beyond: WAITS,
    why: "twice what an agent has in flight",
  },
  leasesWaiting: {
    value: 16_384,
    unit: "count",
    of: "such requests that wait; one agent may have 128",
    beyond: REFUSED,
    why: "10,000 agents that come back at once",
  },
  controllersSeats: {
    value: 32,
    unit: "count",
    of: "seats of remote controllers that no other level takes",
    beyond: "common seats",
    why: "some milliseconds of work",
  },
  systemSeats: {
    value: 16,
    unit: "count",
    of: "seats of administrators that no other level takes",
    beyond: "common seats",
    why: "an operator and some tools work beside any load of users",
  },
  peopleSeats: {
    value: 48,
    unit: "count",
    of: "seats of users' writes and short reads that no other level takes",
    beyond: "common seats",
    why: "as many writes as one commit of the log takes well",
  },
  bulkSeats: {
    value: 16,
    unit: "count",
    of: "seats of long lists, exports and replicas' requests that no other level takes",
    beyond: "common seats",
    why: "two of the longest lists",
  },
  commonSeats: {
    value: 64,
    unit: "count",
    of: "seats that every level except leases borrows, the most urgent that waits first",
    beyond: WAITS,
    why: "half of what users may have in progress, some ten milliseconds of work",
  },
  seatsBesideOthers: {
    value: 16,
    unit: "count",
    of: "seats of one tenant while another one, of the same level or a more urgent one, is there",
    beyond: WAITS,
    why: "one commit of the log takes as many well, and another tenant waits for no more than these",
  },
  besideOthersMs: {
    value: 2_000,
    unit: "ms",
    of: "the time after its last request for which a tenant counts as there",
    beyond: "other tenants get all of their seats back",
    why: "longer than a person or a tool pauses between two requests",
  },
  levelWaiting: {
    value: 1_024,
    unit: "count",
    of: "requests of a level that wait; one tenant may have half, one caller three quarters of that",
    beyond: REFUSED,
    why: "a second of work; later responses would find their clients gone",
  },
  seatWaitMs: {
    value: 10_000,
    unit: "ms",
    of: "the time that a request waits for its turn",
    beyond: REFUSED,
    why: "two renewals of a lease; most clients have given up by then",
  },
  seatListObjects: {
    value: 1_000,
    unit: "count",
    of: "objects of a list for each seat that it takes",
    beyond: "one more seat, up to `seatsPerRequest`",
    why: "some milliseconds of work",
  },
  seatsPerRequest: {
    value: 8,
    unit: "count",
    of: "seats of one request",
    beyond: "it takes as many as this",
    why: "half of what bulk requests own, so two of the longest lists go on at once",
  },
  shortListObjects: {
    value: 500,
    unit: "count",
    of: "objects of a list that counts as a short read",
    beyond: "the list is a bulk request",
    why: "a page of kubectl",
  },
  seatsPerTurn: {
    value: 8,
    unit: "count",
    of: "requests that begin in one turn of the event loop, leases and reports apart",
    beyond: "they begin in the next turn",
    why: "some milliseconds of work, after which leases that came meanwhile are read",
  },
  slowReaderMs: {
    value: 1_000,
    unit: "ms",
    of: "the time that a response waits for its reader and keeps its seat",
    beyond: "it goes on without a seat",
    why: "a reader that slow costs memory, and no time of the server",
  },
  slowReadersPerCaller: {
    value: 32,
    unit: "count",
    of: "responses without a seat of one caller, for their reader is slow",
    beyond: "the connection is closed",
    why: "more than a person or a program reads at once",
  },
  refusalMs: {
    value: 200,
    unit: "ms",
    of: "the time before a request is refused for want of a place",
    beyond: "429 is sent",
    why: "a sender that ignores Retry-After sends five times a second, not as often as it can",
  },
  refusalsHeld: {
    value: 2_048,
    unit: "count",
    of: "such requests that wait for their refusal",
    beyond: "429 is sent at once",
    why: "some megabytes",
  },
} as const satisfies Readonly<Record<string, Limit>>;

export type ShareLimits = Readonly<Record<keyof typeof SHARE_LIMITS, number>>;

export const DEFAULT_SHARE_LIMITS: ShareLimits = limitValues(SHARE_LIMITS);

/** An agent has 16 requests in flight and renews in two ways; the others of it come too fast. */
const LEASES_WAITING_PER_AGENT = 128;

const partOf = (all: number): number => Math.max(1, Math.floor((all * 3) / 4));

export function seatBoundsOf(limits: ShareLimits): SeatBounds {
  const { commonSeats, levelWaiting: waiting } = limits;
  const level = (own: number): LevelBounds => ({
    own,
    borrows: commonSeats,
    // Slow requests of one tenant leave a quarter to others, and those of one caller to the rest of
    // its tenant.
    perPayer: partOf(own + commonSeats),
    perPayerBesideOthers: Math.min(partOf(own + commonSeats), limits.seatsBesideOthers),
    perCaller: partOf(partOf(own + commonSeats)),
    waiting,
    waitingPerPayer: Math.ceil(waiting / 2),
    waitingPerCaller: Math.ceil((waiting * 3) / 8),
  });
  return {
    levels: {
      leases: {
        own: limits.leasesSeats,
        borrows: 0,
        perPayer: limits.leasesSeatsPerCaller,
        perPayerBesideOthers: limits.leasesSeatsPerCaller,
        perCaller: limits.leasesSeatsPerCaller,
        waiting: limits.leasesWaiting,
        waitingPerPayer: Math.min(LEASES_WAITING_PER_AGENT, limits.leasesWaiting),
        waitingPerCaller: Math.min(LEASES_WAITING_PER_AGENT, limits.leasesWaiting),
      },
      controllers: level(limits.controllersSeats),
      system: level(limits.systemSeats),
      people: level(limits.peopleSeats),
      bulk: level(limits.bulkSeats),
    },
    common: commonSeats,
    seenMs: limits.besideOthersMs,
  };
}
