/** Places in a process of its own, so that memory and processor time are those of the measurement alone. */
import { type PartOptions, PartProcess } from "../part/part-process.ts";
import type { Progress } from "../progress.ts";
import type { PlaceResult, PlaceTask } from "./place-task.ts";

export async function placeApart(
  task: PlaceTask,
  of: PartOptions & { readonly progress: Progress },
): Promise<PlaceResult> {
  const part = PartProcess.start("place", of);
  try {
    return await part.ask("place", task, of.progress);
  } finally {
    await part.stop();
  }
}
