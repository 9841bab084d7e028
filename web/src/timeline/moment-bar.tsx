/** As of when the timeline is told: now, or a moment of the past, which is part of the address. */
import { useSignal } from "@preact/signals";
import type { Explanation } from "../../../src/api/explain/explanation.ts";
import { hrefWith, setQuery } from "../app/router.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import type { Moment } from "./timeline-subject.ts";

export interface MomentBarProps {
  readonly moment: Moment;
  readonly explained: Explanation | undefined;
}

export function MomentBar({ moment, explained }: MomentBarProps) {
  const isNow = moment.revision === "" && moment.at === "";
  return (
    <div class={isNow ? "moment" : "moment moment-past"} role="status">
      <span>
        {explained === undefined ? (
          "…"
        ) : (
          <>
            {isNow ? "Live. " : "State at an earlier revision. "}
            <span class="quiet">
              Revision {explained.revision}, <RelativeTime at={explained.time} />
            </span>
          </>
        )}
      </span>
      {isNow ? (
        <MomentForm />
      ) : (
        <a class="button" href={hrefWith({ revision: undefined, at: undefined })}>
          Back to now
        </a>
      )}
    </div>
  );
}

/** "10m", a time, or a revision. */
function MomentForm() {
  const text = useSignal("");
  const go = (event: Event): void => {
    event.preventDefault();
    const moment = text.value.trim();
    if (moment === "") return;
    setQuery(/^\d+$/.test(moment) ? { revision: moment } : { at: moment });
  };
  return (
    <form class="moment-form" onSubmit={go}>
      <label>
        <span class="quiet">As of </span>
        <input
          type="text"
          size={14}
          placeholder="10m, 120, or a time"
          value={text.value}
          onInput={(event) => void (text.value = event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button">
        Show
      </button>
    </form>
  );
}
