/**
 * What an agent says of its drivers, as far as it can be: known names, one sentence each. It says
 * so with its inventory; an agent that then says nothing runs plain processes, and is an older one.
 */
import { DRIVER_NAMES, type NodeDriver } from "../../model/node/driver-name.ts";
import type { NodeStatus } from "../../model/objects.ts";
import { sentence } from "../../model/text/sentence.ts";
import type { IntentOf } from "../../protocol/command.ts";

/** The same array as before when nothing has changed. */
export function driversSaid(
  { inventory }: IntentOf<"lease">,
  { drivers: before }: NodeStatus,
): readonly NodeDriver[] | undefined {
  if (inventory === undefined) return before;
  const said: unknown = inventory.drivers;
  if (!Array.isArray(said)) return undefined;
  // An agent is not trusted to say only what it should.
  const entries = said.filter((each) => typeof each === "object" && each !== null);
  const found = DRIVER_NAMES.flatMap((name) => {
    const one = entries.find((each: Partial<NodeDriver>) => each.name === name);
    return one === undefined ? [] : [shown(name, one as Partial<NodeDriver>)];
  });
  return isSame(found, before) ? before : found;
}

function shown(name: NodeDriver["name"], said: Partial<NodeDriver>): NodeDriver {
  const lacks = sentence(said.lacks);
  const lacksDisk = sentence(said.lacksDisk);
  return {
    name,
    ...(lacks === undefined ? {} : { lacks }),
    ...(lacksDisk === undefined ? {} : { lacksDisk }),
  };
}

function isSame(a: readonly NodeDriver[], b: readonly NodeDriver[] | undefined): boolean {
  if (a.length !== b?.length) return false;
  return a.every(
    ({ name, lacks, lacksDisk }, at) =>
      name === b[at]?.name && lacks === b[at]?.lacks && lacksDisk === b[at]?.lacksDisk,
  );
}
