/**
 * How many volumes of a driver a node can attach (CSINode). Berth has no such limit, so the import
 * says whether it could ever bind: not while all volumes of the driver fit one node.
 */
import type { KubeDump } from "./dump.ts";
import type { ImportNotes } from "./import-notes.ts";

export function noteAttachLimits(dump: KubeDump, notes: ImportNotes): void {
  const smallest = new Map<string, { count: number; node: string; nodes: number }>();
  for (const { metadata, spec } of dump.all("CSINode")) {
    for (const { name, allocatable } of spec?.drivers ?? []) {
      const { count } = allocatable ?? {};
      if (count === undefined) continue;
      const node = metadata.name ?? "";
      const known = smallest.get(name) ?? { count, node, nodes: 0 };
      const isLess = count < known.count;
      smallest.set(name, { ...(isLess ? { count, node } : known), nodes: known.nodes + 1 });
    }
  }
  const volumes = new Map<string, number>();
  for (const { spec } of dump.all("PersistentVolume")) {
    const driver = spec?.csi?.driver ?? "";
    volumes.set(driver, (volumes.get(driver) ?? 0) + 1);
  }
  for (const [driver, { count, node, nodes }] of smallest) {
    const all = volumes.get(driver) ?? 0;
    const effect =
      all <= count
        ? `cannot bind: ${all} volumes in all, and each node attaches ${count} or more`
        : `not counted: a node may attach only ${count} of the ${all} volumes`;
    const what = `attach limits of ${driver}`;
    for (let at = 0; at < nodes; at += 1) notes.add(what, effect, node);
  }
}
