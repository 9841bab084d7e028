/** How many replicas are in which stage: a bar, and the counts as words. */
import { SegmentBar } from "./segment-bar.tsx";
import { stagePlace, TONE_MARKS, toneOf } from "./stage-tone.ts";

export interface StageBarProps {
  readonly counts: Readonly<Record<string, number>>;
  /**
   * Left out: the words stand beside the bar. `bar`: they are there for screen readers and on hover
   * only.
   */
  readonly shows?: "bar" | "both";
  /** Of which the bar is a part, to compare several; left out, it is the whole. */
  readonly whole?: number;
}

export function StageBar({ counts, shows = "both", whole }: StageBarProps) {
  const stages = Object.keys(counts)
    .filter((stage) => (counts[stage] ?? 0) > 0)
    .toSorted((a, b) => stagePlace(a) - stagePlace(b) || (a < b ? -1 : 1));
  const text = stages.map((stage) => `${counts[stage]} ${stage}`).join(", ") || "no replicas";
  return (
    <span class="stage-bar" title={text}>
      <SegmentBar
        {...(whole === undefined ? {} : { whole })}
        segments={stages.map((stage) => ({
          label: stage,
          amount: counts[stage] ?? 0,
          tone: toneOf(stage),
        }))}
      />
      {shows === "bar" ? (
        <span class="unseen">{text}</span>
      ) : (
        <span class="stage-counts">
          {stages.map((stage) => (
            <span key={stage} class={`tone-${toneOf(stage)}`}>
              <span aria-hidden="true">{TONE_MARKS[toneOf(stage)]}</span> {counts[stage]} {stage}
            </span>
          ))}
          {stages.length === 0 && <span class="quiet">no replicas</span>}
        </span>
      )}
    </span>
  );
}
