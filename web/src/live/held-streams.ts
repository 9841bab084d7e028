/**
 * The streams that pages hold. Two parts of a page that ask for the same share one, and the header
 * tells how all of them do.
 */
import { signal } from "@preact/signals";
import type { LiveLoop } from "./live-loop.ts";

export interface Stream {
  readonly loop: LiveLoop;
}

interface Held<S extends Stream> {
  readonly stream: S;
  holders: number;
  timer?: ReturnType<typeof setTimeout>;
}

/** A page that is left and entered again at once finds its stream as it was. */
const LINGER_MS = 2_000;

const streams = new Map<string, Held<Stream>>();
/** Those that somebody holds. */
export const openLoops = signal<readonly LiveLoop[]>([]);

/** The stream of an address. It begins when it is held. */
export function streamAt<S extends Stream>(address: string, create: () => S): S {
  const held = streams.get(address) ?? { stream: create(), holders: 0 };
  streams.set(address, held);
  // An address is of one kind of stream: every caller makes the same.
  return held.stream as S;
}

/** Returns how to let go. */
export function hold(address: string): () => void {
  const held = streams.get(address);
  if (held === undefined) return () => {};
  held.holders += 1;
  clearTimeout(held.timer);
  const { loop } = held.stream;
  if (held.holders === 1) {
    loop.start();
    // It may have been refused before the reader had a token.
    if (loop.state.peek().kind === "refused") loop.retry();
    show();
  }
  return () => {
    held.holders -= 1;
    if (held.holders > 0) return;
    show();
    held.timer = setTimeout(() => {
      loop.stop();
      streams.delete(address);
    }, LINGER_MS);
  };
}

function show(): void {
  openLoops.value = [...streams.values()]
    .filter(({ holders }) => holders > 0)
    .map(({ stream }) => stream.loop);
}
