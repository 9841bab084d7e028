/**
 * One override on the page of what it acts on: what it does, who said so, why, and until when.
 * Nothing once its time is over.
 */
import { hrefOf } from "../app/route.ts";
import { nowMs } from "../live/clock.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import type { OverrideObject } from "./override-object.ts";
import { standingWords } from "./override-words.ts";

export function OverrideLine({ override }: { readonly override: OverrideObject }) {
  const { metadata, spec, status } = override;
  return (
    <>
      <strong>{standingWords(spec)}</strong> by {status.owner}, ends{" "}
      <RelativeTime at={status.until} />: {spec.reason}{" "}
      <a
        href={hrefOf("steering", [], { override: metadata.name })}
        aria-label={`Steering, override ${metadata.name}`}
      >
        Steering →
      </a>
    </>
  );
}

/**
 * Those whose time is not over, as far as this browser's clock tells; read in a drawing it follows
 * the clock.
 */
export const stillHolding = (overrides: readonly OverrideObject[]): readonly OverrideObject[] =>
  overrides.filter(({ status }) => Date.parse(status.until) > nowMs.value);
