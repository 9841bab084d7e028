/** One resource in its parts, as a bar and in words: of the fleet or of one node. */
import { SegmentBar } from "../parts/segment-bar.tsx";
import { shareText } from "../parts/amount-text.ts";
import type { Tone } from "../parts/stage-tone.ts";
import { type Part, PARTS, type Resource } from "./fleet-row.ts";
import { amountText, RESOURCE_LABELS } from "./resource-text.ts";

export interface PartsBarProps {
  readonly resource: Resource;
  /** Capacity, then committed, reclaimable, reserved, recovery and free. */
  readonly parts: readonly number[];
  /** Of what is free, on nodes that nothing can be started on. */
  readonly outOfReach?: number;
  /** What is only expected to come, and stands apart. */
  readonly forecast?: number;
}

/** The empty part of the bar is free. */
const TONES: Readonly<Record<Part, Tone>> = {
  committed: "good",
  reclaimable: "done",
  reserved: "busy",
  recovery: "wait",
  free: "off",
};

const MEANINGS: Readonly<Record<Part, string>> = {
  committed: "Used: requested by replicas that cannot be preempted.",
  reclaimable: "Used: requested by replicas that a higher class may preempt.",
  reserved: "Reserved: free, but held for a preempting replica.",
  recovery: "Reserved: free, but in the recovery reserve.",
  free: "Free for any replica.",
};

export function PartsBar({ resource, parts, outOfReach = 0, forecast = 0 }: PartsBarProps) {
  const [capacity = 0, ...amounts] = parts;
  const [committed = 0, reclaimable = 0, reserved = 0, recovery = 0] = amounts;
  const held = committed + reclaimable;
  const kept = reserved + recovery;
  const shown = PARTS.map((part, at) => ({ part, amount: amounts[at] ?? 0, tone: TONES[part] }));
  const over = amounts.reduce((sum, amount) => sum + amount, 0) - capacity;
  return (
    <div class="parts-bar">
      <div class="parts-head">
        <strong>{RESOURCE_LABELS[resource]}</strong>
        <span>
          {amountText(held, resource)} used <span class="quiet">({shareText(held, capacity)})</span>
          {kept > 0 && (
            <>
              , {amountText(kept, resource)} reserved{" "}
              <span class="quiet">({shareText(kept, capacity)})</span>
            </>
          )}{" "}
          of {amountText(capacity, resource)}
        </span>
      </div>
      <SegmentBar
        whole={capacity}
        segments={shown
          .filter(({ part }) => part !== "free")
          .map(({ part, amount, tone }) => ({ label: part, amount, tone }))}
      />
      <div class="parts-words">
        {shown.map(({ part, amount }) => (
          <PartWords key={part} part={part} amount={amount} text={amountText(amount, resource)} />
        ))}
        {outOfReach > 0 && (
          <span class="tone-wait" title="Free, but on silent or lost nodes.">
            ▲ {amountText(outOfReach, resource)} unreachable
          </span>
        )}
        {over > 0 && <span class="tone-bad">▲ {amountText(over, resource)} over capacity</span>}
        {forecast > 0 && (
          <span title="Forecast capacity: the plane binds no replica to it.">
            <span class="swatch swatch-soft" aria-hidden="true" />
            {amountText(forecast, resource)} forecast
          </span>
        )}
      </div>
    </div>
  );
}

function PartWords(of: { readonly part: Part; readonly amount: number; readonly text: string }) {
  const { part, amount, text } = of;
  const fill = part === "free" ? "swatch-empty" : `fill-${TONES[part]}`;
  return (
    <span title={MEANINGS[part]} class={amount === 0 ? "quiet" : ""}>
      <span class={`swatch ${fill}`} aria-hidden="true" />
      {text} {part}
    </span>
  );
}
