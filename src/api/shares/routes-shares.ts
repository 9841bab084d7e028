/**
 * Who uses how much of this server: the levels, and the flows of the last minute. A caller sees the
 * levels and its own flows; administrators see all flows. Each plane answers for itself.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { MASTERS_GROUP } from "../../core/model/access.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";
import { subjectOf } from "../access/subject-of.ts";
import { callerKey } from "../bounds/caller-key.ts";
import type { ApiContext } from "../http/api-context.ts";
import { callerOf } from "../http/caller.ts";
import { SHARE_LEVELS } from "../../core/admission/share-level.ts";
import type { ShownFlow, ShownLevel, ShownShares } from "./shown-shares.ts";
import type { WaitTimes } from "./wait-times.ts";

const OWN: RouteRule = { kind: "filtered", by: "a caller sees its own flows" };

export function addShareRoutes(app: FastifyInstance, context: ApiContext): void {
  app.get("/shares", asks(OWN), (request): ShownShares => ({
    levels: levels(context),
    flows: flows(context, request),
  }));
}

function levels({ bounds: { seats: gate } }: ApiContext): readonly ShownLevel[] {
  const { seats, tally } = gate;
  return SHARE_LEVELS.map((level) => {
    const { own, borrows, waiting } = seats.bounds.levels[level];
    const { refused, waits, served, bytes } = tally.levels[level];
    return {
      level,
      seats: seats.runningOf(level),
      own,
      most: own + borrows,
      waiting: seats.waitingOf(level),
      mostWaiting: waiting,
      served,
      refused: refused.level + refused.payer + refused.caller + refused.time,
      ...shownWaits(waits),
      bytes,
    };
  });
}

function flows({ bounds }: ApiContext, request: FastifyRequest): readonly ShownFlow[] {
  const { seats, tally } = bounds.seats;
  const isForAll = subjectOf(callerOf(request)).groups.includes(MASTERS_GROUP);
  const own = callerKey(request);
  return [...tally.flowsNow()]
    .filter(({ caller }) => isForAll || caller === own)
    .map((flow) => ({
      level: flow.level,
      caller: flow.caller,
      tenant: flow.tenant,
      ...seats.ofFlow(flow),
      watches: bounds.watches.of(flow.caller),
      served: flow.served,
      refused: flow.refused,
      ...shownWaits(flow.waits),
      bytes: flow.bytes,
    }));
}

/** Beyond the last class there is no number; JSON has none for it. */
const shownWaits = (waits: WaitTimes) => ({
  waitP50Ms: Math.min(waits.quantileMs(0.5), LONGEST_MS),
  waitP99Ms: Math.min(waits.quantileMs(0.99), LONGEST_MS),
});
const LONGEST_MS = 32_768;
