/**
 * Keeps the place in the address: in the query of the dashboard, in the hash of a page that is one
 * file.
 */
import { effect } from "@preact/signals";
import type { IncidentDocument } from "../../../src/incident/incident-document.ts";
import { setQuery } from "../app/router.ts";
import { truthRevision } from "./reading/beliefs-at.ts";
import type { IncidentModel } from "./reading/incident-model.ts";
import { type Place, PLACE_WORDS, placeFromQuery, placeToQuery } from "./place-in-url.ts";
import { turnOfWord, turnWord } from "./turn-word.ts";

export interface PlaceKeeper {
  read(): URLSearchParams;
  write(place: URLSearchParams): void;
}

/**
 * Browsers allow about a hundred changes of the address in half a minute, and scrubbing makes
 * thousands.
 */
const WRITE_EVERY_MS = 400;

export const hashKeeper: PlaceKeeper = {
  read: () => new URLSearchParams(location.hash.slice(1)),
  write: (place) => history.replaceState(null, "", `#${place.toString()}`),
};

export const queryKeeper: PlaceKeeper = {
  read: () => new URLSearchParams(location.search),
  write: (place) =>
    setQuery(Object.fromEntries(PLACE_WORDS.map((word) => [word, place.get(word) ?? undefined])), {
      replace: true,
    }),
};

/** The part of a recording that is asked for again is the one around what was seen. */
function wordsOf({ index, place, turn }: IncidentModel): URLSearchParams {
  const words = placeToQuery(place.peek());
  words.set("turn", turnWord(index.document, turn.peek()));
  if (index.document.source.kind === "recording") {
    words.set("near", `${truthRevision(index, turn.peek())}`);
  }
  return words;
}

/** Where the words of a link lead in this document. */
export function placeIn(document: IncidentDocument, words: URLSearchParams): Place {
  const turn = turnOfWord(document, words.get("turn")) ?? turnOfRevision(document, words);
  return { ...placeFromQuery(words), turn };
}

/** A link to a revision without a turn leads to the commit that made it. */
function turnOfRevision({ commits }: IncidentDocument, words: URLSearchParams): number | undefined {
  const around = words.get("around") ?? "";
  if (!/^\d+$/.test(around)) return undefined;
  return commits.find(({ revision, turn }) => revision >= Number(around) && turn !== undefined)
    ?.turn;
}

/** Returns how to stop; pending changes are written then. */
export function keepPlace(model: IncidentModel, keeper: PlaceKeeper): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const path = location.pathname;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // Another page does not inherit the place.
    if (location.pathname === path) keeper.write(wordsOf(model));
  };
  let isFirst = true;
  const stop = effect(() => {
    void model.place.value;
    if (!isFirst) timer ??= setTimeout(write, WRITE_EVERY_MS);
    isFirst = false;
  });
  const leaving = (): void => {
    if (timer !== undefined) write();
  };
  addEventListener("pagehide", leaving);
  return () => {
    stop();
    leaving();
    removeEventListener("pagehide", leaving);
  };
}
