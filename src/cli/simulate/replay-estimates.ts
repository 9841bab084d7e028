/** `berth replay FOLDER --estimates`: how often estimates of waits in a recording were right. */
import { countText } from "../../core/model/text/count-text.ts";
import { estimatesOfRecording } from "../../replay/estimates-of-recording.ts";
import { RecordingUnreadable } from "../../replay/recording-unreadable.ts";
import { noScores, scoreWaits, type WaitScores } from "../../replay/score-waits.ts";
import { UserError } from "../../shell/errors.ts";

export interface EstimateReport {
  readonly turns: number;
  readonly waits: number;
  readonly withInterval: number;
  readonly withinEstimatePercent: number | null;
  readonly withinEndPercent: number | null;
  readonly withoutInterval: number;
  readonly withinBareEstimatePercent: number | null;
  /** Not over at the end of the recording, and not yet longer than was said. */
  readonly open: number;
  /** The turn at which the replay did something else; what came later is not counted. */
  readonly divergedAtTurn: number | null;
}

export function replayEstimates(recording: string): EstimateReport {
  const waits = reading(recording);
  const scores = noScores();
  scoreWaits(waits, scores);
  return {
    turns: waits.turns,
    ...figuresOf(scores),
    divergedAtTurn: waits.firstDivergence?.turn ?? null,
  };
}

function reading(recording: string): ReturnType<typeof estimatesOfRecording> {
  try {
    return estimatesOfRecording(recording);
  } catch (error) {
    if (!(error instanceof RecordingUnreadable)) throw error;
    throw new UserError("invalid-file", error.message, { file: recording });
  }
}

const figuresOf = (of: WaitScores) => ({
  waits: of.said,
  withInterval: of.withInterval,
  withinEstimatePercent: percent(of.withinEstimate, of.withInterval),
  withinEndPercent: percent(of.withinUpTo, of.withInterval),
  withoutInterval: of.bare,
  withinBareEstimatePercent: percent(of.bareWithin, of.bare),
  open: of.open,
});

/** With one decimal; of nothing there is no share. */
const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part * 1_000) / whole) / 10;

export function estimatesText(report: EstimateReport, recording: string): string {
  const { turns, waits, withInterval, withoutInterval, open, divergedAtTurn } = report;
  const { withinEstimatePercent, withinEndPercent, withinBareEstimatePercent } = report;
  const lines = [
    `${recording}: ${countText(waits, "wait")} with an estimate in ${turns} turns.`,
    ...(withinEndPercent === null
      ? []
      : [
          `With an interval: ${withInterval}. ${withinEstimatePercent} % ended within the estimate (aim: 50 %), ${withinEndPercent} % within its end (aim: 90 %).`,
        ]),
    ...(withinBareEstimatePercent === null
      ? []
      : [
          `Without an interval: ${withoutInterval}. ${withinBareEstimatePercent} % ended within the estimate.`,
        ]),
    ...(open === 0 ? [] : [`Not counted: ${open}, which were not over when the recording ended.`]),
    ...(divergedAtTurn === null
      ? []
      : [`The replay diverged at turn ${divergedAtTurn}: what came later is not counted.`]),
  ];
  return `${lines.join("\n")}\n`;
}
