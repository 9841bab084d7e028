/** A status as a word with a shape, in the colour of its tone. */
import type { ComponentChildren } from "preact";
import { type Tone, TONE_MARKS, toneOf } from "./stage-tone.ts";

export interface StatusWordProps {
  /** Left out: known from the word, when that is one of a stage or a health. */
  readonly tone?: Tone;
  readonly children: ComponentChildren;
  readonly title?: string;
}

export function StatusWord({ tone, children, title }: StatusWordProps) {
  const shown = tone ?? (typeof children === "string" ? toneOf(children) : "off");
  return (
    <span class={`status tone-${shown}`} {...(title === undefined ? {} : { title })}>
      <span class="status-mark" aria-hidden="true">
        {TONE_MARKS[shown]}
      </span>
      {children}
    </span>
  );
}
