/**
 * How the page as a whole is connected: as well as the worst of its streams; a page without one, as
 * its answers tell.
 */
import { computed, type ReadonlySignal } from "@preact/signals";
import { type Answers, answers } from "../live/answers.ts";
import { openLoops } from "../live/held-streams.ts";

export type Connection =
  /** What it shows was asked for, last at this time. */
  | { readonly kind: "asked"; readonly answeredAtMs: number }
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
  return states.some(({ kind }) => kind === "live") ? { kind: "live" } : asAnswered(answers.value);
});

function asAnswered({ answeredAtMs, silent }: Answers): Connection {
  if (silent !== undefined) {
    const { sinceMs, why } = silent;
    return { kind: "reconnecting", sinceMs, heardAtMs: answeredAtMs, why };
  }
  return answeredAtMs === undefined ? { kind: "connecting" } : { kind: "asked", answeredAtMs };
}

/** Two tries that fail at once are over before a reader could notice. */
const QUIET_MS = 2_000;

/** Whether the first tries to connect again have failed. */
export const isDisconnected = (state: Connection, nowMs: number): boolean =>
  state.kind === "reconnecting" && nowMs - state.sinceMs >= QUIET_MS;
