/**
 * Whether others could leave for as long as they like and no node would take the replica: none is
 * large enough even when empty, or none is what it asks for. Then there is nothing to estimate, and
 * people are told that instead.
 *
 * A node that is held back, or only forecast, is no reason to despair: it comes back, or it comes.
 * Neither are neighbours, quotas and kept room, which pass.
 */
import { FEASIBILITY_RULES } from "../../rules/feasibility/feasibility.ts";
import type { Misfit } from "../../rules/feasibility/misfit.ts";
import { schedulable } from "../../rules/feasibility/schedulable.ts";
import { supply } from "../../rules/feasibility/supply.ts";
import { nodeKey } from "../../model/ids.ts";
import type { Ask, Node } from "../../model/objects.ts";
import { emptyNodeUse } from "../../observe/usage.ts";
import type { View } from "../../observe/view.ts";

/** What only a change of the node itself, or of the workload, can lift. */
const LASTING = FEASIBILITY_RULES.filter((rule) => rule !== schedulable && rule !== supply);

const EMPTY = emptyNodeUse();

interface Answer {
  /** Of how many changes of nodes it was given. */
  readonly asOf: number;
  /** Some node that would take it. */
  readonly taker?: string;
  readonly why?: string;
}

export class NoNodeEver {
  /** Every node may have to be asked, so the answer is kept until one of them has changed. */
  private readonly answers = new WeakMap<Ask, Answer>();
  private moves = 0;

  nodeMoved(): void {
    this.moves += 1;
  }

  /** Why waiting will not help; undefined while it may. */
  why(ask: Ask, { objects }: View): string | undefined {
    const known = this.answers.get(ask);
    if (known?.asOf === this.moves) return known.why;
    const taker = known?.taker === undefined ? undefined : objects.node(nodeKey(known.taker));
    const isTaken = taker !== undefined && lastingMisfit(taker, ask) === undefined;
    const answer = isTaken
      ? { asOf: this.moves, taker: taker.meta.name }
      : { asOf: this.moves, ...askAll(objects.all("Node").values(), ask) };
    this.answers.set(ask, answer);
    return answer.why;
  }
}

const lastingMisfit = (node: Node, ask: Ask): Misfit | undefined => {
  for (const rule of LASTING) {
    const misfit = rule.check({ node, use: EMPTY }, ask);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
};

function askAll(nodes: Iterable<Node>, ask: Ask): Omit<Answer, "asOf"> {
  let lacks: Lack = "no-node";
  for (const node of nodes) {
    const misfit = lastingMisfit(node, ask);
    if (misfit === undefined) return { taker: node.meta.name };
    const now = lackOf(misfit);
    if (LACKS.indexOf(now) > LACKS.indexOf(lacks)) lacks = now;
  }
  return { why: TEXTS[lacks] };
}

/** In the order in which rules are asked: what the node that came nearest lacks is told. */
const LACKS = ["no-node", "not-allowed", "size", "devices"] as const;
type Lack = (typeof LACKS)[number];

const TEXTS: Readonly<Record<Lack, string>> = {
  "no-node": "there is no node yet",
  "not-allowed": "no node matches its constraints: waiting will not help",
  size: "no matching node is large enough, even when empty: waiting will not help",
  devices: "no large enough node has the devices it requests: waiting will not help",
};

function lackOf({ code, what }: Misfit): Lack {
  if (code === "device-taken" || what === "deviceMillis") return "devices";
  return code === "node-full" ? "size" : "not-allowed";
}
