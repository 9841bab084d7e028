/** The controllers that a chapter was recorded with, in the state in which they began it. */
import { allControllers } from "../core/all-controllers.ts";
import { type Controllers, createControllers } from "../host/controllers.ts";
import type { ChapterStart } from "../host/recording/entry.ts";

export function recordedControllers({
  controllers,
}: Pick<ChapterStart, "controllers">): Controllers {
  const schedulers = controllers.filter((controller) => controller.startsWith("place-")).length;
  const without = allControllers(schedulers)
    .map(([controller]) => controller)
    .filter((controller) => !controllers.includes(controller));
  return createControllers({ schedulers, without });
}
