/** Replays chapters of a recording as they were, and keeps what came from outside as a script. */
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { type ChapterStart, contentsFormatOf } from "../../host/recording/entry.ts";
import { readContents } from "../read-contents.ts";
import { RecordingUnreadable } from "../recording-unreadable.ts";
import { type OpenChapter, openChapter, playChapter } from "../replay-recording.ts";
import type { Played } from "../stage.ts";
import type { RunAccount } from "./run-account.ts";
import type { Script } from "./script.ts";
import { ScriptWriter } from "./script-writer.ts";

export interface ReadScript {
  readonly script: Script;
  readonly account: RunAccount;
}

interface Reading {
  writer: ScriptWriter;
  chapters: string[];
  readonly notes: string[];
}

export function readScript(
  { folder, chapters }: { readonly folder: string; readonly chapters: readonly string[] },
  onTurn: (done: number, total: number) => void,
): ReadScript {
  const reading: Reading = { writer: new ScriptWriter(), chapters: [], notes: [] };
  let objects: ObjectIndex | undefined;
  for (const name of chapters) {
    const open = openChapter(folder, name);
    readChapter(reading, open, folder, onTurn);
    ({ objects } = open.stage.log);
  }
  const { writer, notes } = reading;
  const script = objects && writer.script(objects, { chapters: reading.chapters, notes });
  if (script !== undefined) return { script, account: writer.account };
  throw new RecordingUnreadable(
    `Cannot preview: ${chapters.join(", ")} in ${folder} end before the plane had read its log. Choose another chapter.`,
  );
}

function readChapter(
  reading: Reading,
  open: OpenChapter,
  folder: string,
  onTurn: (done: number, total: number) => void,
): void {
  const { name, start, stage, lines } = open;
  const state = start.state === undefined ? undefined : snapshotIn(folder, start, start.state);
  if (state !== undefined && !reading.writer.goesOn(state.revision)) beginAnew(reading, name);
  reading.writer.page(start, state);
  let isRead = state !== undefined;
  const before: { readonly atMs: number; readonly played: Played }[] = [];
  const report = playChapter(open, {
    after: ({ turn, atMs }, played) => {
      const end = endOfClaim(played);
      if (end !== undefined && !reading.writer.goesOn(end)) {
        // A plane that was started anew: how far its log has come is known only when it has read
        // it.
        beginAnew(reading, name);
        reading.writer.page(start, state);
        for (const each of before) reading.writer.turn(each.atMs, each.played, stage.log.objects);
      }
      isRead ||= end !== undefined;
      if (!isRead) before.push({ atMs, played });
      reading.writer.turn(atMs, played, stage.log.objects);
      onTurn(turn, lines.length);
    },
  });
  reading.chapters.push(name);
  const { firstDivergence: found } = report;
  if (found === null) return;
  throw new RecordingUnreadable(
    `Cannot preview ${name}: it was recorded by version ${start.version}, and this one decides something else already under the same policy, in turn ${found.turn} (${found.component} given ${found.input}). ` +
      "Use the version that recorded it, or a chapter that this one has recorded.",
  );
}

function snapshotIn(folder: string, start: ChapterStart, state: string): Snapshot {
  const contents = readContents(folder, state, contentsFormatOf(start));
  return (contents as { readonly snapshot: Snapshot }).snapshot;
}

/** Where the log ends that a plane has just read; undefined: it has read none in this turn. */
function endOfClaim(played: Played): number | undefined {
  if (played.by !== "plane" || played.input.kind !== "claimed") return undefined;
  const { commits, snapshot } = played.input;
  return commits.at(-1)?.revision ?? snapshot?.revision ?? 0;
}

/**
 * Another plane has led in between, or a part of the recording is lost: the events there are
 * unknown.
 */
function beginAnew(reading: Reading, name: string): void {
  const left = reading.chapters.join(", ");
  reading.notes.push(
    `${left} left out: ${name} does not go on where that ended, because another plane led in between or a part is lost`,
  );
  reading.writer = new ScriptWriter();
  reading.chapters = [];
}
