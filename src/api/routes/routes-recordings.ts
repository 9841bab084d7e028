/**
 * This plane's own recording: which chapters there are, and the incident document of a part of one.
 * Each plane records only what it decided itself, so no other plane is asked. It is for people, as
 * a backup is.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { VERSION } from "../../shell/version.ts";
import type { OfChapter } from "../../replay/incident-of-chapter.ts";
import type { IncidentAsked } from "../../replay/incident-thread.ts";
import { listChapters } from "../../replay/list-chapters.ts";
import { ApiError } from "../errors.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import type { ApiContext } from "../http/api-context.ts";
import { callerOf } from "../http/caller.ts";
import { IncidentBuilder } from "./incident-builder.ts";
import { asks, power } from "../access/route-rule.ts";

const REPLAY = power("preview", "recordings");

const NOT_RECORDING =
  "This plane does not record: it was started with --no-record. Restart it without that flag to record chapters.";
/** A minute or so of a busy plane, on both sides of what is asked about. */
const DEFAULT_TURNS = 2_000;
const MOST_TURNS = 20_000;
/** Longer than a name that a person searches for. */
const MOST_WORDS = 200;

export function addRecordingRoutes(
  app: FastifyInstance,
  { limits }: ApiContext,
  folder: string | undefined,
): void {
  const builder = new IncidentBuilder(limits);
  app.addHook("onClose", async () => builder.close());
  app.get("/recordings", asks(REPLAY), (request) => {
    assertPerson(request);
    return folder === undefined
      ? { recording: false, reason: NOT_RECORDING, chapters: [] }
      : shownChapters(folder);
  });
  app.get("/recordings/:chapter/incident", asks(REPLAY), (request, reply) => {
    assertPerson(request);
    if (folder === undefined) throw new ApiError("not-found", NOT_RECORDING);
    return builder
      .make({ folder, ...partOf(request) })
      .then((json) => reply.type("application/json; charset=utf-8").send(json));
  });
  app.get("/recordings/:chapter/turns", asks(REPLAY), (request, reply) => {
    assertPerson(request);
    if (folder === undefined) throw new ApiError("not-found", NOT_RECORDING);
    return builder
      .make({ folder, ...wordsOf(request) })
      .then((json) => reply.type("application/json; charset=utf-8").send(json));
  });
}

async function shownChapters(folder: string): Promise<object> {
  const chapters = await listChapters(folder);
  const reason = chapters.length === 0 ? { reason: "This plane has not been the leader yet." } : {};
  return {
    recording: true,
    ...reason,
    chapters: chapters.map(({ fromMs, untilMs, obstacle, ...chapter }) => ({
      ...chapter,
      from: fromMs === undefined ? undefined : rfc3339Millis(fromMs),
      until: untilMs === undefined ? undefined : rfc3339Millis(untilMs),
      canReplay: obstacle === undefined,
      obstacle,
    })),
  };
}

function partOf({ params, query }: FastifyRequest): Omit<OfChapter, "folder"> {
  const { chapter } = params as { readonly chapter: string };
  const { around, turns } = query as { readonly around?: string; readonly turns?: string };
  const number = wholeNumber("chapter", chapter);
  const most = turns === undefined ? DEFAULT_TURNS : Math.max(1, wholeNumber("turns", turns));
  return {
    chapter: number,
    around: around === undefined ? undefined : wholeNumber("around", around),
    turns: Math.min(MOST_TURNS, most),
    version: VERSION,
    again: `berth replay FOLDER --chapter ${number} --html FILE`,
  };
}

/** All turns of the chapter, and words to find in them. */
function wordsOf(request: FastifyRequest): Omit<IncidentAsked, "folder" | "maxBytes"> {
  const { find = "" } = request.query as { readonly find?: string };
  if (find.trim() !== "" && find.length <= MOST_WORDS) {
    return { ...partOf(request), turns: undefined, find };
  }
  throw new ApiError("bad-request", `find: expected words, at most ${MOST_WORDS} characters.`);
}

function assertPerson(request: FastifyRequest): void {
  const { kind, name } = callerOf(request);
  if (kind === "user" || kind === "local") return;
  throw new ApiError(
    "not-allowed",
    `Only users may read a recording; ${name} is of the kind ${kind}.`,
  );
}

function wholeNumber(what: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ApiError(
    "bad-request",
    `${what}: found "${text.slice(0, 40)}", expected a whole number.`,
  );
}
