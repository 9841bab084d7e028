/** A command that expects the files of an image would find those of the node. */
import type { RunOptions } from "../../core/model/run-options.ts";

export function refuseImage({ image }: RunOptions): void {
  if (image === undefined) return;
  throw new Error("Its template names an image, which only the driver image runs.");
}
