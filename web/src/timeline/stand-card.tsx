/** Current state: in a sentence, who does the next thing and by when, and what each wait is for. */
import { reasonWords } from "../../../src/api/views/wait-words.ts";
import type { Explanation, OwedWait } from "../../../src/api/explain/explanation.ts";
import { scalingLines } from "../../../src/api/explain/scaling-lines.ts";
import { Badge } from "../parts/badge.tsx";
import { KeyValues } from "../parts/key-values.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { BecauseDetail } from "./because-detail.tsx";

export function StandCard({ explained }: { readonly explained: Explanation }) {
  const { now } = explained;
  return (
    <section class="card" aria-labelledby="stand">
      <h2 id="stand">Current state</h2>
      <p class="stand-says">{now.says}</p>
      <KeyValues
        items={[
          ["Next", now.owner === "nobody" ? now.next : `${now.owner} ${now.next}`],
          [
            "Deadline",
            now.by && (
              <>
                <RelativeTime at={now.by.at} form="due" />{" "}
                <span class="quiet">{now.by.because}</span>
              </>
            ),
          ],
        ]}
      />
      {now.waits.map((wait) => (
        <Wait key={`${wait.controller} ${wait.of}`} wait={wait} explained={explained} />
      ))}
      {now.scaling !== undefined && (
        <>
          <h3>Autoscaler {now.scaling.autoscaler}</h3>
          <KeyValues items={scalingLines(now.scaling)} />
        </>
      )}
    </section>
  );
}

function Wait({ wait, explained }: { readonly wait: OwedWait; readonly explained: Explanation }) {
  // The newest record of this wait has the rules that turned candidates away.
  const said = explained.timeline.findLast(
    (step) =>
      step.kind === "wait" &&
      step.reason === wait.reason &&
      step.of === wait.of &&
      step.decided.controller === wait.controller,
  );
  return (
    <div class="wait">
      <p>
        <strong>{`${wait.summary.charAt(0).toUpperCase()}${wait.summary.slice(1)}`}</strong>{" "}
        <Badge tone="wait">{reasonWords(wait.reason)}</Badge>{" "}
        <span class="quiet">
          {wait.controller} waits for {wait.of}
        </span>
      </p>
      {said?.decided !== undefined && <BecauseDetail because={said.decided.because} />}
      <p class="quiet">
        Retries when: {wait.wakes.length === 0 ? "no event" : wait.wakes.join(", or ")}; at the
        latest <RelativeTime at={wait.by} form="due" />.
      </p>
    </div>
  );
}
