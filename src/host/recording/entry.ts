/**
 * What a recording holds: every input of every component, in the order in which they were taken,
 * and an outline of what came of each. Inputs that can be worked out again are not copied: a watch
 * is a revision range, a list is a revision. So a recording stays a small part of the log it
 * belongs to.
 */
import type { AuthorityInput, ClientInput } from "../../core/kernel/component.ts";
import { FORMATS, CONTENTS_FORMAT } from "../formats.ts";
import type { EffectOutline } from "./effect-outline.ts";
import type { Epoch, Revision } from "../../core/model/ids.ts";

/** What the copy of a claim is called; any other contents are JSON. */
export const COPY_SUFFIX = ".claim";

/** First line of every chapter: enough to build the same components and begin where they did. */
export interface ChapterStart {
  /** Its format (`formats.ts`). */
  readonly berthRecording: number;
  readonly version: string;
  readonly plane: string;
  readonly seed: number;
  /** In the order in which they were created. */
  readonly controllers: readonly string[];
  /**
   * File with the authority's state at the beginning, named by its content; absent for an empty
   * log.
   */
  readonly state: string | undefined;
  /** The authority has followed the log to that state and leads only from the next input on. */
  readonly isStandby?: true;
}

/**
 * The format of the inputs and of the contents that a chapter names; those were the first until
 * format 3.
 */
export const contentsFormatOf = ({
  berthRecording,
}: Pick<ChapterStart, "berthRecording">): number =>
  Math.max(1, CONTENTS_FORMAT - (FORMATS.recording.written - berthRecording));

export type RecordedInput =
  | Exclude<ClientInput, { kind: "watch" | "listed" }>
  | Exclude<AuthorityInput, { kind: "claimed" }>
  | {
      readonly kind: "watch";
      readonly from: Revision;
      readonly to: Revision;
      readonly epoch: Epoch;
    }
  | { readonly kind: "listed"; readonly revision: Revision; readonly epoch: Epoch }
  /** What the store held, by the name of a file beside the recording. */
  | { readonly kind: "claimed"; readonly epoch: Epoch; readonly contents: string };

/**
 * One line: component, time on the plane's clock, input, effects; up to format 2, a digest of the
 * effects.
 */
export type Entry = readonly [
  component: string,
  atMs: number,
  input: RecordedInput,
  effects: readonly EffectOutline[] | number,
];
