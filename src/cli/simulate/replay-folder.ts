/** `berth replay` of a plane's recording: all of it, or, for a page, one chapter of it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { incidentOfChapter } from "../../replay/incident-of-chapter.ts";
import { RecordingUnreadable } from "../../replay/recording-unreadable.ts";
import { type ReplayReport, replayRecording } from "../../replay/replay-recording.ts";
import { divergenceText } from "../text/divergence-text.ts";
import { UserError } from "../../shell/errors.ts";
import type { Replayed, ReplayOptions } from "../commands/replay.ts";
import { readWholeNumber } from "../../shell/read-whole-number.ts";
import { VERSION } from "../../shell/version.ts";

/** A plane keeps its recording in its folder unless told otherwise, so that folder will do, too. */
export function recordingIn(folder: string): string {
  const inside = join(folder, "recording");
  return existsSync(inside) ? inside : folder;
}

export function replayFolder(recording: string, untilTurn: number | undefined): Replayed {
  return reading(recording, () => {
    const report = replayRecording(recording, untilTurn);
    return replayedAs(report, recording, recording);
  });
}

/** A page shows one chapter, so only that one is replayed. */
export function replayChapter(recording: string, options: ReplayOptions): Replayed {
  const { chapter, around } = options;
  const parts = [
    ...(chapter === undefined ? [] : [`--chapter ${chapter}`]),
    ...(around === undefined ? [] : [`--around ${around}`]),
  ];
  return reading(recording, () => {
    const { document, report } = incidentOfChapter({
      folder: recording,
      chapter: numberIn("--chapter", chapter),
      fromTurn: numberIn("--from-turn", options.fromTurn),
      untilTurn: numberIn("--until-turn", options.untilTurn ?? options.until),
      around: numberIn("--around", around),
      version: VERSION,
      again: ["berth replay", recording, ...parts, "--html FILE"].join(" "),
    });
    const of = `${recording} (${document.source.title})`;
    return { ...replayedAs(report, recording, of), document };
  });
}

const numberIn = (flag: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : readWholeNumber(flag, text);

function replayedAs(report: ReplayReport, recording: string, of: string): Replayed {
  const { firstDivergence: found } = report;
  const text =
    found === null
      ? `Replayed ${report.turns} turns of ${of}: identical to the recording.`
      : `${divergenceText(found)}\n  where     ${found.component} given ${found.input}, in ${join(recording, found.chapter)}`;
  return { report, exitCode: found === null ? 0 : 1, text: `${text}\n` };
}

function reading(recording: string, replayed: () => Replayed): Replayed {
  try {
    return replayed();
  } catch (error) {
    if (!(error instanceof RecordingUnreadable)) throw error;
    throw new UserError("invalid-file", error.message, { file: recording });
  }
}
