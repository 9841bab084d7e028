/** The measured times as bars against the promise: a table, so that it can be heard, too. */
import type { Simulation } from "../review.ts";
import { type Measured, measuredText, measuredTimes } from "./finding-sentences.ts";
import { percent } from "./percent.ts";
import { spanText } from "./span-text.ts";

/** Empty where no time was measured. */
export function recoveryPicture(simulation: Simulation): string {
  const times = measuredTimes(simulation);
  if (times.length === 0) return "";
  const { promisedMs } = simulation;
  const longest = Math.max(promisedMs ?? 0, ...times.map(({ ms }) => ms ?? 0), 1);
  const rows = times.map(
    (each) =>
      `<tr><th scope="row">${each.name}</th><td>${bar(each, longest, promisedMs)}</td><td>${measuredText(each)}</td></tr>`,
  );
  const line =
    promisedMs === undefined ? "" : `; the line is the promise of ${spanText(promisedMs)}`;
  return `<figure><figcaption class="quiet">Time after the failure${line}.</figcaption><table class="bars"><tbody>${rows.join("")}</tbody></table></figure>`;
}

function bar({ ms }: Measured, longest: number, promisedMs: number | undefined): string {
  const at = promisedMs === undefined ? undefined : percent(promisedMs, longest);
  const mark =
    at === undefined ? "" : `<line class="promise-mark" x1="${at}" x2="${at}" y1="-2" y2="20"/>`;
  const fill =
    ms === undefined
      ? `<rect class="never" x="1" y="1" width="99%"/>`
      : `<rect class="${toneOf(ms, promisedMs)}" width="${percent(ms, longest)}"/>`;
  return `<svg class="bar" aria-hidden="true">${fill}${mark}</svg>`;
}

function toneOf(ms: number, promisedMs: number | undefined): string {
  if (promisedMs === undefined) return "plain";
  return ms <= promisedMs ? "kept" : "over";
}
