/** Role `place`: one measurement of placing, with a process to itself. */
import { answerParent } from "../part/answer-parent.ts";
import { runPlace } from "./run-place.ts";

export async function playPlace(): Promise<void> {
  await answerParent({ place: runPlace });
}
