/** A short fact beside a name, such as a class or a count. */
import type { ComponentChildren } from "preact";
import type { Tone } from "./stage-tone.ts";

export interface BadgeProps {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
  readonly title?: string;
}

export function Badge({ tone = "off", children, title }: BadgeProps) {
  return (
    <span class={`badge tone-${tone}`} {...(title === undefined ? {} : { title })}>
      {children}
    </span>
  );
}
