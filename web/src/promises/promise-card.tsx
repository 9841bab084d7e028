/** One promise: its verdict and the cause, since when, the smallest fix, and how it went before. */
import type { ShownPromise } from "../../../src/api/views/shown-promises.ts";
import { hrefOf } from "../app/route.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import { verdictWord } from "./promise-words.ts";

export function PromiseCard({ promise }: { readonly promise: ShownPromise }) {
  const { namespace, name, verdict, reason, since, fix, workload } = promise;
  const [tenant = "", of = ""] = workload?.split("/") ?? [];
  return (
    <article class={`promise promise-${verdictWord(verdict).tone}`}>
      <header>
        <Verdict verdict={verdict} />
        {since !== undefined && (
          <span class="quiet">
            for <RelativeTime at={since} form="age" />
          </span>
        )}
      </header>
      <h3>{promise.promise}</h3>
      {reason !== undefined && <p>{reason}</p>}
      {fix !== undefined && (
        <p>
          <strong>Smallest fix:</strong> {fix}
        </p>
      )}
      <p class="quiet promise-foot">
        <code>
          {namespace}/{name}
        </code>
        {workload !== undefined && <a href={hrefOf("workloads", [tenant, of])}>{workload}</a>}
      </p>
      <Past promise={promise} />
    </article>
  );
}

function Verdict({ verdict }: { readonly verdict: string }) {
  const { word, mark, tone } = verdictWord(verdict);
  return (
    <span class={`badge tone-${tone}`}>
      <span aria-hidden="true">{mark} </span>
      {word}
    </span>
  );
}

function Past({ promise: { history = [] } }: { readonly promise: ShownPromise }) {
  if (history.length === 0) return null;
  return (
    <details>
      <summary>Before</summary>
      <ol class="promise-past">
        {history.map(({ verdict, reason, since }) => (
          <li key={since}>
            <Verdict verdict={verdict} /> from <RelativeTime at={since} />: {reason}
          </li>
        ))}
      </ol>
    </details>
  );
}
