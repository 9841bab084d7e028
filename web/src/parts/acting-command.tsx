/** The command that does the same, in the name that the dialog acts in. */
import type { Signal } from "@preact/signals";
import type { Acting } from "./acting.ts";
import { CommandLine } from "./command-line.tsx";
import { actingText } from "./acting-text.ts";

export interface ActingCommandProps {
  readonly text: string;
  readonly acting: Acting;
  /** As it is typed. */
  readonly as: Signal<string>;
}

export const ActingCommand = ({ text, acting, as }: ActingCommandProps) => (
  <CommandLine text={actingText(text, { ...acting, name: as.value })} />
);
