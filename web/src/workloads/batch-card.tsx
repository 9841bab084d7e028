/** How far a job has come, and how it ended. */
import type { BatchCell } from "../../../src/api/views/view-rows.ts";
import { ageText } from "../parts/age-text.ts";
import { KeyValues } from "../parts/key-values.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { SegmentBar } from "../parts/segment-bar.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import { batchWay } from "./under-way.ts";

export function BatchCard({ batch }: { readonly batch: BatchCell }) {
  const { completions, parallelism, succeeded, active, failures, givenUp } = batch;
  const { started, finished } = batch;
  const { tone, text } = batchWay(batch);
  return (
    <section class={tone === "bad" ? "card trouble-card" : "card"} aria-labelledby="job">
      <div class="card-head">
        <h2 id="job">Job</h2>
      </div>
      <p>
        <StatusWord tone={tone}>{text}</StatusWord>
      </p>
      <SegmentBar
        whole={completions}
        segments={[
          { label: "succeeded", amount: succeeded, tone: "done" },
          { label: "running", amount: active, tone: "busy" },
          { label: "failed", amount: givenUp, tone: "bad" },
        ]}
      />
      <KeyValues
        items={[
          ["At once", `${parallelism} of ${completions}`],
          ["Failures", `${failures}, ${givenUp} failed`],
          ["Began", started && <RelativeTime key="began" at={started} />],
          ["Ended", finished && <RelativeTime key="ended" at={finished} />],
          ["Took", started && finished && ageText(finished - started)],
        ]}
      />
    </section>
  );
}
