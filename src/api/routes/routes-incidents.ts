/**
 * What went wrong, and when: incidents that the log tells of, in pages backwards, and objectives
 * that this plane found breached.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import type { SloBreach, SloBreaches } from "../../host/telemetry/slo-breaches.ts";
import type { Sight } from "../access/sight.ts";
import { callerOf } from "../http/caller.ts";
import { ApiError } from "../errors.ts";
import { shownKey } from "../explain/commit-step.ts";
import type { ApiContext } from "../http/api-context.ts";
import { IncidentList, type IncidentPage } from "../incidents/incident-list.ts";
import type { FoundIncident, Moment } from "../incidents/incident-scan.ts";
import type { ShownIncident, ShownIncidents } from "../incidents/shown-incident.ts";
import { percentText } from "../kinds/status/slo-status.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";

const OWN_INCIDENTS: RouteRule = { kind: "filtered", by: "the object of each incident" };

interface IncidentsQuery {
  readonly before?: string;
  readonly limit?: string;
  readonly about?: string;
}

/** A screen; more is asked for. */
const BY_DEFAULT = 50;
const MOST = 500;

export function addIncidentRoutes(
  app: FastifyInstance,
  { plane, limits, authorizer }: Pick<ApiContext, "plane" | "limits" | "authorizer">,
  slos: Pick<SloBreaches, "breaches">,
): void {
  const list = new IncidentList(plane, limits);
  app.get("/incidents", asks(OWN_INCIDENTS), (request) =>
    answer(list, slos, request, authorizer.sightOf(callerOf(request))),
  );
}

async function answer(
  list: IncidentList,
  { breaches }: Pick<SloBreaches, "breaches">,
  { query }: FastifyRequest,
  sight: Sight,
): Promise<ShownIncidents> {
  const { limit, about = "", ...asked } = query as IncidentsQuery;
  const most = wholeNumber("limit", limit, MOST) ?? BY_DEFAULT;
  const any = Number.MAX_SAFE_INTEGER;
  const before = wholeNumber("before", asked.before, any) ?? any;
  const isAbout = (...keys: readonly ObjectKey[]): boolean =>
    keys.every((key) => sight.seesKey(key)) &&
    (about === "" || keys.some((key) => shownKey(key) === about));
  const page = await list.read({
    before,
    most,
    fits: ({ subject, key }) => isAbout(subject, key),
  });
  const isFull = page.found.length === most;
  // Those that were measured while the log was at an older page's revisions are on that page.
  const from = isFull ? (page.found.at(-1)?.began.revision ?? 0) : page.end ? 0 : page.lookedTo + 1;
  const measured = breaches.filter(
    ({ key, began }) => began.revision < before && began.revision >= from && isAbout(key),
  );
  const incidents = [...page.found.map((each) => shown(each, sight)), ...measured.map(shownBreach)]
    .toSorted((a, b) => b.began.revision - a.began.revision)
    .slice(0, most);
  const last = incidents.at(-1)?.began.revision ?? 0;
  const isCut = incidents.length === most;
  const next = isCut ? last : page.end === undefined ? page.lookedTo + 1 : undefined;
  return {
    revision: page.revision,
    incidents,
    ...(next === undefined ? {} : { next }),
    says: saysOf(page, next),
  };
}

function shownBreach({ key, began, ended, good }: SloBreach): ShownIncident {
  return {
    id: `SloBreached ${shownKey(key)} ${began.revision}`,
    kind: "SloBreached",
    about: shownKey(key),
    message: `Its error budget was spent: only ${percentText(good)} of the samples were good.`,
    began: shownMoment(began),
    ...(ended === undefined ? {} : { ended: shownMoment(ended) }),
  };
}

function shown(
  { kind, subject, key, text, began, ended }: FoundIncident,
  sight: Sight,
): ShownIncident {
  const object = parseKey(key);
  return {
    id: `${kind} ${shownKey(key)} ${ended?.revision ?? "lasts"}`,
    kind,
    about: shownKey(subject),
    ...(object.kind === "Replica" ? { replica: object.name } : {}),
    message: sight.text(text),
    began: shownMoment(began),
    ...(ended === undefined ? {} : { ended: shownMoment(ended) }),
  };
}

const shownMoment = ({ revision, atMs }: Moment) => ({ revision, time: rfc3339Millis(atMs) });

function saysOf({ end, lookedTo }: IncidentPage, next: number | undefined): string {
  if (next !== undefined) return `There may be older ones: continue with before=${next}.`;
  switch (end) {
    case "compacted":
      return `Revisions before ${lookedTo + 1} were compacted.`;
    case "memory":
      return `This plane looks no further back than revision ${lookedTo + 1}, to bound its memory.`;
    default:
      return "This is the full history.";
  }
}

function wholeNumber(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined || text === "") return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 1 && number <= most) return number;
  const bound = most === Number.MAX_SAFE_INTEGER ? "1 or more" : `1 to ${most}`;
  throw new ApiError(
    "bad-request",
    `${name} is "${text.slice(0, 40)}"; it is a whole number, ${bound}.`,
  );
}
