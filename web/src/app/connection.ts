/** How the page as a whole is connected: as well as the worst of its streams. */
import { computed, type ReadonlySignal } from "@preact/signals";
import { openLoops } from "../live/held-streams.ts";

export type Connection =
  | { readonly kind: "still" }
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  | {
      readonly kind: "reconnecting";
      readonly sinceMs: number;
      /** What the page shows is from then; undefined when nothing has come yet. */
      readonly heardAtMs: number | undefined;
      readonly why: string;
    };

export const connection: ReadonlySignal<Connection> = computed(() => {
  const loops = openLoops.value;
  const states = loops.map((loop) => loop.state.value);
  const broken = states.flatMap((state) => (state.kind === "reconnecting" ? [state] : []));
  const [first] = broken.toSorted((a, b) => a.sinceMs - b.sinceMs);
  if (first !== undefined) {
    const heard = loops.flatMap((loop) => loop.heardAtMs.value ?? []);
    const heardAtMs = heard.length === 0 ? undefined : Math.min(...heard);
    return { kind: "reconnecting", sinceMs: first.sinceMs, heardAtMs, why: first.failure.message };
  }
  if (states.some(({ kind }) => kind === "connecting")) return { kind: "connecting" };
  return { kind: states.some(({ kind }) => kind === "live") ? "live" : "still" };
});

/** Two tries that fail at once are over before a reader could notice. */
const QUIET_MS = 2_000;

/** Whether the first tries to connect again have failed. */
export const isDisconnected = (state: Connection, nowMs: number): boolean =>
  state.kind === "reconnecting" && nowMs - state.sinceMs >= QUIET_MS;
