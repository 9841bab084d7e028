/**
 * Which rows of a long table are near what is seen. The page itself scrolls: there is one scroll
 * bar, on a phone, too.
 */
import { useSignal } from "@preact/signals";
import {
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll,
} from "@tanstack/virtual-core";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface WindowRows {
  /** Indices of the rows to draw. */
  readonly indices: readonly number[];
  /** Heights of what is left out before and after them, in pixels. */
  readonly beforePx: number;
  readonly afterPx: number;
  readonly scrollTo: (index: number) => void;
}

/**
 * Drawn beyond what is seen, so that a quick turn of the wheel shows rows and not their absence.
 */
const OVERSCAN = 12;
/**
 * What covers the edges of the page: the heading of the table, with the line that it is out of
 * date; a phone's navigation.
 */
const HEAD_PX = 68;
const FOOT_PX = 64;

export function useWindowRows(
  body: { readonly current: HTMLElement | null },
  of: { readonly count: number; readonly rowPx: number },
): WindowRows {
  const turn = useSignal(0);
  void turn.value;
  const top = useRef(0);
  const options: VirtualizerOptions<Window, Element> = {
    count: of.count,
    getScrollElement: () => window,
    estimateSize: () => of.rowPx,
    overscan: OVERSCAN,
    scrollPaddingStart: HEAD_PX,
    scrollPaddingEnd: FOOT_PX,
    scrollMargin: top.current,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialOffset: () => scrollY,
    initialRect: { width: innerWidth, height: innerHeight },
    onChange: () => void (turn.value += 1),
  };
  const made = useRef<Virtualizer<Window, Element>>(null);
  const rows = (made.current ??= new Virtualizer(options));
  rows.setOptions(options);
  useLayoutEffect(() => rows._didMount(), []);
  useLayoutEffect(() => {
    rows._willUpdate();
    const now = Math.round((body.current?.getBoundingClientRect().top ?? 0) + scrollY);
    // What stands above the table may have grown.
    if (now === top.current) return;
    top.current = now;
    turn.value += 1;
  });
  const items = rows.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  return {
    indices: items.map(({ index }) => index),
    beforePx: first === undefined ? 0 : first.start - top.current,
    afterPx: last === undefined ? of.count * of.rowPx : (of.count - 1 - last.index) * of.rowPx,
    scrollTo: (index) => rows.scrollToIndex(index, { align: "auto" }),
  };
}
