/**
 * Places in a process of its own, so that memory and processor time are those of the measurement
 * alone.
 */
import { type PartOptions, PartProcess } from "../part/part-process.ts";
import { benchStore } from "../measure/bench-store.ts";
import type { Progress } from "../measure/progress.ts";
import type { PlaceResult, PlaceTask } from "./place-task.ts";

export async function placeApart(
  task: PlaceTask,
  of: PartOptions & { readonly progress: Progress },
): Promise<PlaceResult> {
  const store = await benchStore(task);
  const part = PartProcess.start("place", of);
  try {
    return await part.ask("place", { ...task, store: store.where }, of.progress);
  } finally {
    await part.stop();
    await store.stop();
  }
}
