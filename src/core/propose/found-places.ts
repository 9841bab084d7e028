/** What a look has found: a place for each of some replicas, and the command that asks for all of them. */
import type { Binding, Intent } from "../protocol/command.ts";
import type { Look } from "../protocol/decision.ts";
import type { Replica } from "../model/objects.ts";
import { bindAllOperation, bindOperation } from "../protocol/operations.ts";
import type { Found, NodeFinder } from "./fleet/node-finder.ts";
import type { PlacementMode } from "./fleet/placement-mode.ts";

export interface FoundPlace {
  readonly replica: Replica;
  readonly place: Found;
}

export function placeEach(
  replicas: readonly Replica[],
  of: {
    readonly finder: NodeFinder;
    readonly look: Look;
    readonly mode: PlacementMode;
    readonly most?: number;
  },
): readonly FoundPlace[] {
  const { finder, look, mode, most = replicas.length } = of;
  const found: FoundPlace[] = [];
  let generation: number | undefined;
  let isFull = false;
  for (const replica of replicas) {
    if (found.length === most) break;
    // One commit, one template: what another generation asks for is found at the next look.
    generation ??= replica.spec.generation;
    if (replica.spec.generation !== generation) break;
    // What is found for none of them is still found for one that has room held for it.
    if (isFull && finder.roomHeld(replica) === undefined) continue;
    const place = finder.find(replica, mode);
    if (place === undefined) {
      isFull ||= finder.roomHeld(replica) === undefined;
      continue;
    }
    finder.assume(replica, place, look.now);
    found.push({ replica, place });
  }
  return found;
}

/** Only where one is in force that has a name. */
export const underRevision = (
  policyRevision: string | undefined,
): { readonly policyRevision?: string } => (policyRevision === undefined ? {} : { policyRevision });

export function bindIntent(found: readonly FoundPlace[], finder: NodeFinder): Intent {
  const bindings = found.map(({ replica, place }): Binding => {
    const { node, deviceIds, spare, budget } = place;
    const { key, status } = replica;
    const under = underRevision(finder.revisionFor(replica, node));
    const binding = { replica: key, life: status.life, node, deviceIds, ...under };
    if (spare === undefined && budget === undefined) return binding;
    return {
      ...binding,
      ...(spare === undefined ? {} : { spare }),
      ...(budget === undefined ? {} : { budget }),
    };
  });
  const [only] = bindings;
  const replicas = found.map(({ replica }) => replica);
  // The operation names lives, never the attempt or the nodes: a retry after a lost reply meets the first
  // binding instead of making a second one.
  return only !== undefined && bindings.length === 1
    ? { kind: "bind", operation: bindOperation(replicas[0] as Replica), ...only }
    : { kind: "bind-all", operation: bindAllOperation(replicas), bindings };
}
