/** One chart of a few lines, drawn by hand; what it shows is also said in words. */
import { useId } from "preact/hooks";
import type { Tone } from "../../parts/stage-tone.ts";
import { areaPath, HEIGHT, linePath, type Point, WIDTH } from "./chart-path.ts";

export interface Series {
  readonly name: string;
  readonly tone: Tone;
  readonly points: readonly Point[];
  /** "area": filled down to 0, the first in front. "limit": a dashed line. Left out: a line. */
  readonly as?: "area" | "limit";
  /** The newest value, in words. */
  readonly latest: string;
}

export interface SmallChartProps {
  readonly title: string;
  /** All of it in a sentence, for readers who do not see it. */
  readonly about: string;
  readonly series: readonly Series[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly most: number;
  readonly mostText: string;
}

export function SmallChart(of: SmallChartProps) {
  const { title, about, series, fromMs, toMs, most, mostText } = of;
  const id = useId();
  const box = { fromMs, toMs, most };
  const areas = series.filter(({ as }) => as === "area").toReversed();
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>
        <span class="chart-legend">
          {series.map(({ name, tone, latest, as }) => (
            <span key={name}>
              <span class={`chart-key chart-${as ?? "line"} tone-${tone}`} aria-hidden="true" />
              {latest} {name}
            </span>
          ))}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={`${id}-title ${id}-about`}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-about`}>{about}</desc>
        <path class="chart-grid" d={`M0 0.5H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}`} />
        {areas.map(({ name, tone, points }) => (
          <path key={name} class={`chart-fill tone-${tone}`} d={areaPath(points, box)} />
        ))}
        {series.map(({ name, tone, points, as }) => (
          <path
            key={name}
            class={`chart-stroke tone-${tone}${as === "limit" ? " is-limit" : ""}`}
            d={linePath(points, box)}
          />
        ))}
      </svg>
      <div class="chart-scale quiet" aria-hidden="true">
        <span>{clockText(fromMs)}</span>
        <span>top: {mostText}</span>
        <span>{clockText(toMs)}</span>
      </div>
    </figure>
  );
}

/** `15:04` */
export const clockText = (atMs: number): string =>
  new Date(atMs).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
