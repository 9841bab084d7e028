/** What the replicas of a chaos run have written about themselves: one file for each process. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ownership } from "./find-overlaps.ts";

export interface Incarnation {
  readonly replica: string;
  readonly uid: string;
  readonly incarnation: number;
  readonly pid: number;
  readonly node: string;
  readonly devices: readonly string[];
  /** On the clock that all processes of the machine share. */
  readonly fromMs: number;
  readonly toMs: number;
}

interface FirstLine extends Omit<Incarnation, "devices" | "fromMs" | "toMs"> {
  readonly devices: string;
  readonly atMs: number;
}

/** A process that was killed before its first line was whole has done nothing that anybody could have seen. */
export function readIncarnations(folder: string): readonly Incarnation[] {
  return readdirSync(folder).flatMap((name) => {
    const incarnation = parseIncarnation(readFileSync(join(folder, name), "utf8"));
    return incarnation === undefined ? [] : [incarnation];
  });
}

export function parseIncarnation(text: string): Incarnation | undefined {
  // Whatever follows the last line's end was cut off by a kill.
  const [first, ...beats] = text.split("\n").slice(0, -1);
  if (first === undefined) return undefined;
  const { devices, atMs, ...who } = JSON.parse(first) as FirstLine;
  const toMs = beats.length === 0 ? atMs : Number(beats.at(-1));
  return { ...who, devices: devices.split(",").filter((id) => id !== ""), fromMs: atMs, toMs };
}

/** A process owns its index wherever it runs, and the devices of its node that were bound to it. */
export function ownershipsOf(incarnations: readonly Incarnation[]): readonly Ownership[] {
  return incarnations.flatMap(({ replica, uid, incarnation, pid, node, devices, fromMs, toMs }) => {
    const owner = `${replica} (${uid}) incarnation ${incarnation}, process ${pid} on ${node}`;
    const things = [`index ${replica}`, ...devices.map((id) => `device ${id} of ${node}`)];
    return things.map((thing) => ({ thing, owner, fromMs, toMs }));
  });
}
