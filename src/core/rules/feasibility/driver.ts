/**
 * A replica that asks for a driver runs only where its node allows and can run that one (BD15). A
 * node whose agent says nothing of drivers runs plain processes; one that never spoke may yet.
 */
import { type NodeDriver, PLAIN_DRIVERS } from "../../model/node/driver-name.ts";
import type { Ask, Node } from "../../model/objects.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import type { Candidate, FeasibilityRule, Misfit, RulePart } from "./misfit.ts";

export const driver: FeasibilityRule = {
  name: "driver",
  wakes: [NODES_FACT],
  check({ node }: Candidate, ask: Ask): Misfit | undefined {
    if (ask.driver === undefined || isSilent(node)) return undefined;
    const known = node.status.drivers ?? PLAIN_DRIVERS;
    const found = known.find(({ name }) => name === ask.driver);
    if (found !== undefined && found.lacks === undefined) return diskMisfit(node, ask, found);
    return {
      code: "driver-missing",
      node: node.key,
      what: `driver ${ask.driver}`,
      expected: "usable",
      actual: found?.lacks ?? "not allowed by the node",
    };
  },
  *parts(_: Candidate, ask: Ask): Iterable<RulePart> {
    // Without its driver it would not get its disk either.
    if (ask.driver === undefined || ask.disk !== undefined) return;
    yield { remedy: { kind: "drop-driver", driver: ask.driver } };
  },
};

function diskMisfit(node: Node, ask: Ask, found: NodeDriver): Misfit | undefined {
  if (ask.disk === undefined || found.lacksDisk === undefined) return undefined;
  return {
    code: "driver-missing",
    node: node.key,
    what: `driver ${found.name} with a disk`,
    expected: "usable",
    actual: found.lacksDisk,
  };
}

/** Its first session has not begun: nothing is bound to it now, and it may be only a forecast. */
const isSilent = ({ status }: Node): boolean =>
  status.drivers === undefined && status.session === 0;
