/**
 * The smallest changes that would give a waiting replica a place, each checked by the plane with
 * the rules themselves.
 */
import type { ShownWhatIf } from "../../../src/api/explain/explanation.ts";
import { hrefWith } from "../app/router.ts";

export function WhatIfCard({ whatIf }: { readonly whatIf: ShownWhatIf }) {
  const { says, suggestions, beyondHelp, notChecked } = whatIf;
  const beyond = Object.entries(beyondHelp);
  return (
    <section class="card" aria-labelledby="what-if">
      <div class="steps-head">
        <h2 id="what-if">What would let it fit</h2>
        <a class="button button-quiet" href={hrefWith({ whatif: undefined })}>
          Hide
        </a>
      </div>
      <p>{says}</p>
      <ol>
        {suggestions.map(({ changes, node, opens }) => {
          const text = changes.map((change) => change.says).join(", and ");
          return (
            <li key={`${text} ${node}`}>
              {text}{" "}
              <span class="quiet">
                → {node}
                {opens > 1 && `, one of ${opens} nodes`}
              </span>
            </li>
          );
        })}
      </ol>
      {beyond.length > 0 && (
        <p class="quiet">
          No change tried helps with{" "}
          {beyond.map(([rule, count]) => `${count} (${rule})`).join(", ")}.
        </p>
      )}
      <NotChecked notChecked={notChecked} />
    </section>
  );
}

/** What an answer leaves out, so that readers do not take it for more than it is. */
export const NotChecked = ({ notChecked }: { readonly notChecked: readonly string[] }) =>
  notChecked.length === 0 ? null : <p class="quiet">Not considered: {notChecked.join("; ")}.</p>;
