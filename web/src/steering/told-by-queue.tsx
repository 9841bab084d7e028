/**
 * Reads overrides again when the queue tells of a change, on a page that has room for that stream.
 * The controller that removes expired overrides has a wake-up there for each, so the queue tells
 * when one is made, extended or gone. Shows nothing.
 */
import { useView } from "../live/use-live.ts";
import { usePaced } from "../live/use-paced.ts";
import { readWait } from "../queue/wait-row.ts";
import { type Overrides, useAgain } from "./use-overrides.ts";

/** A few times a second is more often than people make or extend one. */
const LOOK_MS = 250;

export function ToldByQueue({ overrides }: { readonly overrides: Overrides }) {
  const queue = useView("queue");
  usePaced(queue.rows, LOOK_MS);
  const turn = [...queue.rows.peek().values()]
    .filter(([wait]) => wait.startsWith("expire-override "))
    .map(readWait)
    .map(({ wait, deadline }) => `${wait} ${deadline}`)
    .toSorted()
    .join();
  useAgain(overrides, turn);
  return null;
}
