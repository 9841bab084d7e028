/**
 * What the machine of a simulated node can run: by its name, so that every world has some of each,
 * and none has to say so.
 */
import { hashText } from "../../core/kernel/keyed-hash.ts";
import type { NodeDriver } from "../../core/model/node/driver-name.ts";

const KINDS: readonly (readonly NodeDriver[] | undefined)[] = [
  // An agent from before there were drivers.
  undefined,
  [{ name: "sandbox" }],
  [{ name: "sandbox" }, { name: "image" }, { name: "process" }],
  [{ name: "sandbox", lacks: "it lacks bwrap" }, { name: "process" }],
];

export const driversOfMachine = (name: string): readonly NodeDriver[] | undefined =>
  KINDS[(hashText(name) >>> 0) % KINDS.length];
