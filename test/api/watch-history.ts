/** What one watcher has seen, over all its connections, and what it should have: the six guarantees of a watch. */
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import type { AnyObject } from "../../src/core/model/objects.ts";

export interface SeenLine {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly revision: number;
  /** Empty for a bookmark. */
  readonly key: string;
}

export interface Connection {
  /** The resourceVersion that was asked for. */
  readonly from: number;
  readonly lines: readonly SeenLine[];
}

export interface WatchHistory {
  readonly watcher: string;
  readonly connections: readonly Connection[];
}

/** The events of one kind as the log has them, in order. */
export type Truth = readonly SeenLine[];

export function truthOf(commits: readonly Commit[], kind: AnyObject["kind"]): Truth {
  return commits.flatMap(({ revision, changes }) =>
    changes
      .filter(({ before, after }) => (after ?? before)?.kind === kind)
      .map(({ key, before, after }): SeenLine => {
        const type = before === undefined ? "ADDED" : after === undefined ? "DELETED" : "MODIFIED";
        return { type, revision, key };
      }),
  );
}

/** Complaints about a history; none when it keeps the guarantee. */
export type Validator = (history: WatchHistory, truth: Truth) => readonly string[];

const isEvent = ({ type }: SeenLine): boolean => type !== "BOOKMARK";
const shown = ({ type, revision, key }: SeenLine): string => `${type} ${key}@${revision}`;
const linesOf = ({ connections }: WatchHistory): readonly SeenLine[] =>
  connections.flatMap(({ lines }) => lines);

/** Revisions never go back, within a connection and from one to the next. */
export const ordered: Validator = (history) =>
  linesOf(history).flatMap((line, at, all) => {
    const before = all[at - 1];
    const goesBack = before !== undefined && line.revision < before.revision;
    return goesBack ? [`${shown(line)} came after ${shown(before)}.`] : [];
  });

/**
 * What a connection begins with because others of the same revision may have been missed (AP54): also where a bookmark
 * said that none was, because who comes back does not say how it came by its revision.
 */
const isAgain = ({ from }: Connection, { revision }: SeenLine, truth: Truth): boolean =>
  revision === from && truth.filter((event) => event.revision === from).length > 1;

const firstTimes = ({ connections }: WatchHistory, truth: Truth): readonly SeenLine[] =>
  connections.flatMap((connection, at) =>
    connection.lines.filter((line) => at === 0 || !isAgain(connection, line, truth)),
  );

/** No event is told twice, but for those of the revision that a connection goes on from. */
export const unique: Validator = (history, truth) => {
  const told = new Set<string>();
  return firstTimes(history, truth)
    .filter(isEvent)
    .flatMap((line) => {
      const name = `${line.key}@${line.revision}`;
      if (told.has(name)) return [`${name} was told twice.`];
      told.add(name);
      return [];
    });
};

/** The events of one revision come together: no bookmark and no later event before all of them are there. */
export const atomic: Validator = (history, truth) => {
  const wanted = new Map<number, number>();
  for (const { revision } of truth) wanted.set(revision, (wanted.get(revision) ?? 0) + 1);
  return history.connections.flatMap(({ lines }) => {
    const complaints: string[] = [];
    let open: { revision: number; count: number } | undefined;
    for (const line of lines) {
      const goesOn = isEvent(line) && line.revision === open?.revision;
      if (open !== undefined && !goesOn && open.count < (wanted.get(open.revision) ?? 0)) {
        complaints.push(`${shown(line)} came with ${open.count} events of ${open.revision} told.`);
      }
      if (goesOn && open !== undefined) open.count += 1;
      else open = isEvent(line) ? { revision: line.revision, count: 1 } : undefined;
    }
    return complaints;
  });
};

/** Everything that happened between the beginning and the last word was told, as it happened, and nothing else. */
export const reliable: Validator = (history, truth) => {
  const lines = linesOf(history);
  const first = history.connections[0]?.from ?? 0;
  const last = Math.max(0, ...lines.map(({ revision }) => revision));
  const told = new Set(lines.filter(isEvent).map(shown));
  const happened = truth.filter(({ revision }) => revision > first && revision <= last).map(shown);
  const real = new Set(happened);
  return [
    ...happened.filter((event) => !told.has(event)).map((event) => `${event} was not told.`),
    ...[...told].filter((event) => !real.has(event)).map((event) => `${event} did not happen.`),
  ];
};

/** A connection from a revision on begins with the very next event, and with nothing older. */
export const resumable: Validator = ({ connections }, truth) =>
  connections.slice(1).flatMap((connection) => {
    const { from, lines } = connection;
    const next = truth.find(({ revision }) => revision > from);
    const first = lines.find((line) => isEvent(line) && !isAgain(connection, line, truth));
    const complaints: string[] = [];
    if (first !== undefined && (next === undefined || first.revision !== next.revision)) {
      const due = next === undefined ? "nothing" : shown(next);
      complaints.push(`From ${from} on, ${shown(first)} came first, and ${due} was due.`);
    }
    const old = lines.find(({ revision }) => revision < from);
    return old === undefined ? complaints : [...complaints, `${shown(old)} is before ${from}.`];
  });

/** A bookmark promises that all up to it was told: nothing of it is missing before and nothing comes after. */
export const bookmarkable: Validator = ({ connections }, truth) =>
  connections.flatMap(({ from, lines }) =>
    lines.flatMap((line, at) => {
      if (isEvent(line)) return [];
      const told = new Set(lines.slice(0, at).filter(isEvent).map(shown));
      const missing = truth.filter(
        (event) =>
          event.revision > from && event.revision <= line.revision && !told.has(shown(event)),
      );
      const late = lines
        .slice(at + 1)
        .filter((later) => isEvent(later) && later.revision <= line.revision);
      return [
        ...missing.map((event) => `The bookmark ${line.revision} came before ${shown(event)}.`),
        ...late.map((event) => `${shown(event)} came after the bookmark ${line.revision}.`),
      ];
    }),
  );
