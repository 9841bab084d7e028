/**
 * Whether watches told each change once, in order and without a gap, and whether what was acknowledged is among it. The
 * log is a watcher like any other; where it was watched it has the last word on what happened.
 */
import { type Call, called, isPut } from "./call.ts";
import type { Finding } from "./finding.ts";
import type { Order } from "./order.ts";
import type { Connection, Watched, WatchedLine } from "./watched.ts";

/** The watcher that was told by the log itself, not by a plane. */
export const LOG = "log";

export function checkWatches(
  calls: readonly Call[],
  watched: readonly Watched[],
  order: Order,
): readonly Finding[] {
  const told = new Told(watched);
  return [
    ...watched.flatMap((watch) => [...checkSequence(watch), ...checkComplete(watch, order, told)]),
    ...calls.flatMap((call) => checkKept(call, order, told)),
    ...checkShown(order, told),
  ];
}

const nameOf = ({ key, revision }: { readonly key: string; readonly revision: number }): string =>
  `${key}@${revision}`;

/** Which changes were told by whom, and which revisions the log's own watcher has been told all of. */
class Told {
  readonly byLog: ReadonlySet<string>;
  private readonly spans: readonly Connection[];

  constructor(watched: readonly Watched[]) {
    const connections = watched
      .filter(({ watcher }) => watcher === LOG)
      .flatMap((watch) => watch.connections);
    this.spans = connections;
    this.byLog = new Set(connections.flatMap(({ lines }) => lines.map(nameOf)));
  }

  covers(revision: number): boolean {
    return this.spans.some(({ from, upTo }) => revision > from && revision <= upTo);
  }
}

function checkSequence({ watcher, connections }: Watched): readonly Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  let last: WatchedLine | undefined;
  for (const line of connections.flatMap(({ lines }) => lines)) {
    if (seen.has(nameOf(line))) {
      findings.push({ kind: "watch-twice", text: `${watcher} was told ${nameOf(line)} twice.` });
    } else if (last !== undefined && line.revision < last.revision) {
      const text = `${watcher} was told ${nameOf(line)} after ${nameOf(last)}.`;
      findings.push({ kind: "watch-order", text });
    }
    seen.add(nameOf(line));
    last = line;
  }
  return findings;
}

function checkComplete(
  { watcher, connections }: Watched,
  order: Order,
  told: Told,
): readonly Finding[] {
  return connections.flatMap(({ from, upTo, lines }): Finding[] => {
    const names = new Set(lines.map(nameOf));
    const missed = order.keys.flatMap((key) =>
      order
        .of(key)
        .filter((one) => one.revision > from && one.revision <= upTo && !names.has(nameOf(one))),
    );
    const invented = lines.filter(
      (line) => told.covers(line.revision) && !told.byLog.has(nameOf(line)),
    );
    return [
      ...missed.map((one): Finding => {
        const text = `${watcher} was told everything from ${from} to ${upTo} but ${nameOf(one)}.`;
        return { kind: "watch-gap", text };
      }),
      ...invented.map((line): Finding => {
        const text = `${watcher} was told ${nameOf(line)}, which is not in the log.`;
        return { kind: "watch-phantom", text };
      }),
    ];
  });
}

/** An acknowledged write is where it was said to be. */
function checkKept(call: Call, order: Order, told: Told): readonly Finding[] {
  const { asked, answer, invokedMs: atMs } = call;
  const lost = (what: string): readonly Finding[] => [
    {
      kind: "lost-write",
      text: `${called(call)} was acknowledged ${what} and is not there.`,
      atMs,
    },
  ];
  if (asked.op === "delete" && answer.kind === "deleted") {
    return order.deletionOf(answer.uid) === undefined ? lost(`for ${answer.uid}`) : [];
  }
  if (!isPut(asked) || answer.kind !== "shown") return [];
  const [effect] = order.having(asked.key, asked.value);
  const { value, revision } = answer.object;
  // What was sent again may be answered with what came after it.
  const promised = value === asked.value ? revision : effect?.revision;
  if (promised === undefined || effect?.revision !== promised) return lost(`at ${revision}`);
  if (!told.covers(promised)) {
    return [{ kind: "unwatched", text: `No watch of the log covers ${called(call)}.`, atMs }];
  }
  return told.byLog.has(nameOf({ key: asked.key, revision: promised }))
    ? []
    : lost(`at ${revision}`);
}

/** What anybody was shown is in the log. */
function checkShown(order: Order, told: Told): readonly Finding[] {
  return order.keys.flatMap((key) =>
    order.of(key).flatMap((one): Finding[] => {
      if (!told.covers(one.revision) || told.byLog.has(nameOf(one))) return [];
      return [{ kind: "unexplained", text: `${nameOf(one)} was shown, and is not in the log.` }];
    }),
  );
}
