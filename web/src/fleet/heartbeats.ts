/** When nodes were last heard of: read again every few seconds while a page shows it. */
import { useMemo } from "preact/hooks";
import { nowMs } from "../live/clock.ts";
import { useFetched } from "../live/use-fetched.ts";
import { useAgain } from "../steering/use-overrides.ts";

interface Heartbeats {
  readonly heartbeats: readonly (readonly [node: string, atMs: number])[];
}

/** Agents renew their leases about as often. */
const AGAIN_MS = 5_000;

/** Of one node, or of all; by name. */
export function useHeartbeats(node?: string): ReadonlyMap<string, number> {
  const query = node === undefined ? "" : `?${new URLSearchParams({ node }).toString()}`;
  const fetched = useFetched<Heartbeats>(`/heartbeats${query}`);
  useAgain(fetched, Math.floor(nowMs.value / AGAIN_MS));
  const { value } = fetched;
  return useMemo(() => new Map(value?.heartbeats), [value]);
}
