/**
 * Every rule that keeps a replica from one node, with the numbers. Which node is part of the
 * address.
 */
import { useSignal } from "@preact/signals";
import type { ShownWhyNot } from "../../../src/api/explain/explanation.ts";
import type { QueryState } from "../app/query-state.ts";
import { hrefOf } from "../app/route.ts";
import { StatusWord } from "../parts/status-word.tsx";
import { NotChecked } from "./what-if-card.tsx";

export interface WhyNotCardProps {
  readonly whyNot: ShownWhyNot | undefined;
  /** The node that was asked about; "" for none. */
  readonly node: string;
  readonly choose: QueryState;
}

export function WhyNotCard({ whyNot, node, choose }: WhyNotCardProps) {
  return (
    <section class="card" aria-labelledby="why-not">
      <h2 id="why-not">Why not this node?</h2>
      <NodeForm node={node} choose={choose} />
      {whyNot !== undefined && <Obstacles whyNot={whyNot} />}
    </section>
  );
}

function NodeForm({ node, choose }: Pick<WhyNotCardProps, "node" | "choose">) {
  const text = useSignal(node);
  const ask = (event: Event): void => {
    event.preventDefault();
    choose.value = text.value.trim();
  };
  return (
    <form class="moment-form" onSubmit={ask}>
      <label>
        <span class="quiet">Node </span>
        <input
          type="text"
          size={20}
          value={text.value}
          onInput={(event) => void (text.value = event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button">
        Ask
      </button>
    </form>
  );
}

function Obstacles({ whyNot }: { readonly whyNot: ShownWhyNot }) {
  const { node, isThere, obstacles, notChecked } = whyNot;
  const link = <a href={hrefOf("fleet", [], { node })}>{node}</a>;
  if (isThere) return <p>It already runs on {link}.</p>;
  return (
    <>
      {obstacles.length === 0 ? (
        <p>
          <StatusWord tone="good">No rule</StatusWord> rejects {link}.
        </p>
      ) : (
        <ul>
          {obstacles.map(({ rule, says, remedy }) => (
            <li key={`${rule} ${says}`}>
              <strong>{rule}</strong>
              {says.slice(rule.length)}
              {remedy !== undefined && <span class="quiet"> Remedy: {remedy}.</span>}
            </li>
          ))}
        </ul>
      )}
      <NotChecked notChecked={notChecked} />
    </>
  );
}
