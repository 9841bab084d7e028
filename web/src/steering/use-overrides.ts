/**
 * The overrides there are, read once, for pages that have their two streams already; read again
 * when the page knows of a change.
 */
import { useEffect, useRef } from "preact/hooks";
import type { ObjectList } from "../live/object-message.ts";
import { type Fetched, useFetched } from "../live/use-fetched.ts";
import { type OverrideObject, OVERRIDES } from "./override-object.ts";

export type Overrides = Fetched<ObjectList<OverrideObject>>;

export const useOverrides = (): Overrides => useFetched<ObjectList<OverrideObject>>(OVERRIDES);

/** Reads again when `turn` is another than before. */
export function useAgain(fetched: { reload(): void }, turn: string | number): void {
  const seen = useRef(turn);
  useEffect(() => {
    if (seen.current === turn) return;
    seen.current = turn;
    fetched.reload();
  }, [turn]);
}
