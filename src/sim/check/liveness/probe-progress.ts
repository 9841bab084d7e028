/** What a process that never becomes ready leaves unfinished, for `unfinished.ts`. */
import type { Replica } from "../../../core/model/objects.ts";
import type { Truth } from "../checker.ts";
import type { Unfinished } from "./unfinished-work.ts";

/** The process stays as it is; its replica has to name the failing probe. */
export function probeNotTold(
  { key, status }: Replica,
  truth: Truth,
  stallMs: number,
): Unfinished | undefined {
  const { stage, failingProbe, node = "" } = status;
  if (stage !== "starting" || failingProbe !== undefined || !truth.isNodeUp(node)) return undefined;
  const message = `${key} is starting, and its failing probe is not told.`;
  return { rule: "LIV68", key, stuckAs: "untold", patienceMs: stallMs, message };
}
