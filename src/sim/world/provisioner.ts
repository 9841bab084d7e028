/**
 * Makes the machines of pools, as a plane's host would: it sees the provisioning nodes and those to
 * be scaled down, asks the provider, and reports the result. Before the world heals it sometimes
 * refuses, accepts without delivering, does not answer at all, or asks twice; afterwards it works.
 */
import type { Intent } from "../../core/protocol/command.ts";
import type { Controller } from "../../core/runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../../core/protocol/decision.ts";
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import { isProvisioning, type ProvisionOutcome } from "../../core/model/node/node-pool.ts";
import type { Node } from "../../core/model/objects.ts";
import type { View } from "../../core/observe/view.ts";
import { provisionedOperation } from "../../core/protocol/operations.ts";
import type { World, WorldNodePool } from "./world.ts";

/** The operations of a provider. */
export interface Provider {
  has(name: string): boolean;
  create(name: string, afterMs: number): void;
  delete(name: string): void;
  isGone(name: string): boolean;
}

/** How long a machine takes to be gone. */
const LOOK_AGAIN_MS = 2_000;

/** `offsetMs` is how far its own clock is ahead of the world's. */
export function createProvisioner(world: World, provider: Provider, offsetMs: number): Controller {
  const mine = new Set<string>();
  return {
    role: "provisioner",
    interest: { kinds: new Set(["Node"]), node: undefined },
    follow: ({ key, before, after }) => {
      const some = after ?? before;
      if (some?.kind === "Node" && some.spec.pool !== undefined) mine.add(parseKey(key).name);
    },
    keysFor: ({ key }) => (mine.has(parseKey(key).name) ? [key] : []),
    allKeys: (view) => view.objects.all("Node").keys(),
    reconcile: (key, view, look) => {
      const isHealed = look.now - offsetMs >= world.faultsUntilMs;
      return provide(key, view, {
        look,
        provider,
        world,
        isHealed,
        isMine: mine.has(parseKey(key).name),
      });
    },
  };
}

interface Providing {
  readonly look: Look;
  readonly provider: Provider;
  readonly world: World;
  readonly isHealed: boolean;
  readonly isMine: boolean;
}

function provide(key: ObjectKey, { objects }: View, of: Providing): Decision {
  const node = objects.node(key);
  const { name } = parseKey(key);
  const { provider, look } = of;
  if (node === undefined) {
    // A node that was given up, or deleted by a person, leaves no machine behind.
    if (of.isMine) provider.delete(name);
    return settled;
  }
  const { provision } = node.status;
  const pool = of.world.nodePools?.find((each) => each.name === node.spec.pool);
  if (pool === undefined || provision === undefined) return settled;
  if (provision.scalingDown !== undefined) {
    if (provider.isGone(name)) return say(node, "gone");
    provider.delete(name);
    const summary = `${key} is being switched off`;
    const deadlineMs = look.now + LOOK_AGAIN_MS;
    return wait({ reason: "stopping", wakes: [], deadlineMs, because: { summary } });
  }
  if (!isProvisioning(node) || provision.accepted !== undefined || provision.failed !== undefined) {
    return settled;
  }
  return answer(node, pool, of);
}

function answer(
  node: Node,
  pool: WorldNodePool,
  { look, provider, isHealed }: Providing,
): Decision {
  const { name, uid } = node.meta;
  if (!provider.has(name)) return say(node, { failed: "there is no machine left" });
  const drawn = isHealed ? 100 : look.random("provider", uid) % 100;
  const { refusedPercent, lostPercent, silentPercent } = pool;
  if (drawn < refusedPercent) return say(node, { failed: "out of machines" });
  if (drawn < refusedPercent + silentPercent) return settled;
  const { least, most } = pool.bootMs;
  const bootMs = least + (look.random("boot", uid) % Math.max(1, most - least));
  const isLost = drawn < refusedPercent + silentPercent + lostPercent;
  if (!isLost) provider.create(name, bootMs);
  // In doubt it asks again, under the same name.
  if (!isLost && look.random("twice", uid) % 4 === 0) provider.create(name, bootMs + 1);
  return say(node, "asked");
}

function say(node: Node, outcome: ProvisionOutcome): Decision {
  const intent: Intent = {
    kind: "provisioned",
    operation: provisionedOperation(node, outcome),
    node: node.meta.name,
    outcome,
  };
  return propose([intent], { summary: `${node.key}: ${JSON.stringify(outcome)}` });
}
