/**
 * Keeps a canvas painted: at most once a frame, as sharp as the screen is, and again when its size
 * or the theme changes.
 */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { StageSize } from "./stage-geometry.ts";

export interface Surface {
  readonly size: ReadonlySignal<StageSize>;
  /** Device pixels to a CSS pixel. */
  readonly ratio: ReadonlySignal<number>;
  /** Changes with the theme. */
  readonly theme: ReadonlySignal<number>;
  stop(): void;
}

/** Watches the box that a canvas fills. */
export function watchSurface(box: HTMLElement): Surface {
  const size = signal<StageSize>({ width: box.clientWidth, height: box.clientHeight });
  const ratio = signal(devicePixelRatio);
  const theme = signal(0);
  const resized = new ResizeObserver(() => {
    size.value = { width: box.clientWidth, height: box.clientHeight };
    ratio.value = devicePixelRatio;
  });
  resized.observe(box);
  const changed = (): void => void (theme.value += 1);
  const themed = new MutationObserver(changed);
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", changed);
  return {
    size,
    ratio,
    theme,
    stop() {
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener("change", changed);
    },
  };
}

/** Paints whenever what `read` looks at changes. Returns how to stop. */
export function paintOn<Painted>(of: {
  readonly canvas: HTMLCanvasElement;
  readonly surface: Surface;
  readonly read: () => Painted;
  readonly paint: (context: CanvasRenderingContext2D, painted: Painted) => void;
}): () => void {
  const { canvas, surface, read, paint } = of;
  const context = canvas.getContext("2d");
  let frame = 0;
  const stop = effect(() => {
    const { width, height } = surface.size.value;
    const ratio = surface.ratio.value;
    const painted = read();
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      if (!context || width === 0 || height === 0) return;
      fit(canvas, { width, height }, ratio);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      paint(context, painted);
    });
  });
  return () => {
    stop();
    cancelAnimationFrame(frame);
  };
}

/** Setting a size clears a canvas, so it is set only when it is another one. */
function fit(canvas: HTMLCanvasElement, { width, height }: StageSize, ratio: number): void {
  const wide = Math.round(width * ratio);
  const high = Math.round(height * ratio);
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}
