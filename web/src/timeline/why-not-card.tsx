/**
 * Every rule that keeps a replica from one node, with the numbers. Which node is part of the
 * address.
 */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ShownWhyNot } from "../../../src/api/explain/explanation.ts";
import type { QueryState } from "../app/query-state.ts";
import { hrefOf } from "../app/route.ts";
import { useFetched } from "../live/use-fetched.ts";
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
  const names = useNodeNames();
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
          size={32}
          list="why-not-nodes"
          placeholder="Choose or type a node"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            // A name of the list was chosen or typed whole: it needs no button.
            if (names.includes(text.value)) choose.value = text.value;
          }}
        />
        <datalist id="why-not-nodes">
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <button type="submit" class="button">
        Ask
      </button>
    </form>
  );
}

/** Nodes whose agents were heard of. */
function useNodeNames(): readonly string[] {
  const heartbeats = useFetched<{ readonly heartbeats: readonly (readonly [string, number])[] }>(
    "/heartbeats",
  ).value?.heartbeats;
  return useMemo(() => (heartbeats ?? []).map(([name]) => name).toSorted(), [heartbeats]);
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
