/** What went wrong, and when: incidents that the log tells of, in pages backwards. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { parseKey } from "../../core/model/ids.ts";
import { ApiError } from "../errors.ts";
import { shownKey } from "../explain/commit-step.ts";
import type { ApiContext } from "../http/api-context.ts";
import { IncidentList, type IncidentPage } from "../incidents/incident-list.ts";
import type { FoundIncident, Moment } from "../incidents/incident-scan.ts";
import type { ShownIncident, ShownIncidents } from "../incidents/shown-incident.ts";
import { rfc3339Millis } from "../rfc3339.ts";

interface IncidentsQuery {
  readonly before?: string;
  readonly limit?: string;
  readonly about?: string;
}

/** A screen; more is asked for. */
const BY_DEFAULT = 50;
const MOST = 500;

export function addIncidentRoutes(app: FastifyInstance, { plane, limits }: ApiContext): void {
  const list = new IncidentList(plane, limits);
  app.get("/incidents", (request) => answer(list, request));
}

async function answer(list: IncidentList, { query }: FastifyRequest): Promise<ShownIncidents> {
  const { before, limit, about } = query as IncidentsQuery;
  const most = wholeNumber("limit", limit, MOST) ?? BY_DEFAULT;
  const page = await list.read({
    before: wholeNumber("before", before, Number.MAX_SAFE_INTEGER) ?? Number.MAX_SAFE_INTEGER,
    most,
    fits: (incident) =>
      (about ?? "") === "" ||
      [incident.subject, incident.key].some((key) => shownKey(key) === about),
  });
  const isFull = page.found.length === most;
  const last = page.found.at(-1)?.began.revision ?? 0;
  const next = isFull ? last : page.end === undefined ? page.lookedTo + 1 : undefined;
  return {
    revision: page.revision,
    incidents: page.found.map(shown),
    ...(next === undefined ? {} : { next }),
    says: saysOf(page, next),
  };
}

function shown({ kind, subject, key, text, began, ended }: FoundIncident): ShownIncident {
  const object = parseKey(key);
  return {
    id: `${kind} ${shownKey(key)} ${ended?.revision ?? "lasts"}`,
    kind,
    about: shownKey(subject),
    ...(object.kind === "Replica" ? { replica: object.name } : {}),
    message: text,
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
