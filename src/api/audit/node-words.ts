/** What became of a node, in words about its actor: people hold it and let it go, controllers and agents say how it is. */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Cordon, Node } from "../../core/model/objects.ts";
import { happeningsOf } from "../events/happenings-of.ts";
import { evidenceText } from "../kinds/text/evidence-text.ts";

/** Undefined when nothing about it is peculiar to nodes. */
export function nodeWords(before: Node, after: Node, commit: Commit): string | undefined {
  const words = [
    ...cordonWords(before, after, commit.actor.name),
    ...drainWords(before, after),
    ...healthWords(before, after),
  ];
  if (words.length > 0) return words.join("; ");
  if (before.meta.generation !== after.meta.generation) return undefined;
  const told = happeningsOf({ ...commit, changes: [{ key: after.key, before, after }] });
  if (told.length === 0) return undefined;
  return `wrote of node ${after.meta.name}: ${told.map(({ message }) => message).join(" ")}`;
}

function* cordonWords({ spec: was }: Node, { spec, meta }: Node, by: string): Iterable<string> {
  for (const cordon of spec.cordons) {
    if (!isIn(cordon, was.cordons)) yield `cordoned ${meta.name}${because(cordon.reason)}`;
  }
  for (const cordon of was.cordons) {
    if (isIn(cordon, spec.cordons)) continue;
    const of = cordon.holder === by ? "" : `, which ${cordon.holder} had cordoned`;
    yield `uncordoned ${meta.name}${of}`;
  }
}

const isIn = ({ holder, reason }: Cordon, list: readonly Cordon[]): boolean =>
  list.some((each) => each.holder === holder && each.reason === reason);

function* drainWords({ spec: was, status: had }: Node, after: Node): Iterable<string> {
  const { spec, status, meta } = after;
  if (was.draining && !spec.draining) yield `ended the drain of ${meta.name}`;
  const isNew = spec.draining && (!was.draining || was.drain?.holder !== spec.drain?.holder);
  if (isNew) yield `began to drain ${meta.name}${because(spec.drain?.reason ?? "")}`;
  if (status.drain?.overMs !== undefined && had.drain?.overMs === undefined) {
    yield `noted that the deadline of the drain of ${meta.name} has passed`;
  }
}

function* healthWords({ status: was }: Node, { status, meta }: Node): Iterable<string> {
  const { health, evidence, session } = status;
  if (was.health !== health) {
    const cited = evidence === undefined || health === "ready" ? "" : `: ${evidenceText(evidence)}`;
    yield `marked ${meta.name} ${health}${cited}`;
  } else if (was.session !== session) {
    yield `began session ${session} of ${meta.name}`;
  }
}

const because = (reason: string): string => (reason === "" ? "" : `: ${reason}`);
