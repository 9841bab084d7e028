/**
 * Batches of which some indexes fail: every so many of them, in so many of their first
 * incarnations.
 */
import type { Template } from "../../core/model/objects.ts";

/**
 * As the first word of the command: `["fails", "2", "1"]`, the indexes 0, 2, 4, … in their first
 * incarnation.
 */
export const FAILS = "fails";

export function failsAt(
  { command }: Pick<Template, "command">,
  index: number,
  incarnation: number,
): boolean {
  const [word, every, incarnations] = command;
  return word === FAILS && index % Number(every) === 0 && incarnation <= Number(incarnations);
}
