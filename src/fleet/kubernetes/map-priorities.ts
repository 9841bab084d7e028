/** Priority classes, and one for the pods that name none. */
import { keyOf, type ObjectKey } from "../../core/model/ids.ts";
import type { PriorityClass } from "../../core/model/objects.ts";
import type { KubeDump } from "./dump.ts";
import { importedMeta } from "./imported-meta.ts";
import type { Pod } from "./kube-objects.ts";

const classKey = (name: string): ObjectKey => keyOf({ kind: "PriorityClass", namespace: "", name });

/**
 * By name. A pod whose class is not in the dump has its value with it, under a class of that value.
 */
export class PriorityClasses {
  private readonly byName = new Map<string, PriorityClass>();

  constructor(dump: KubeDump) {
    for (const { metadata, value = 0, preemptionPolicy } of dump.all("PriorityClass")) {
      this.add(metadata.name ?? "", value, preemptionPolicy);
    }
  }

  nameFor({ spec }: Pod): string {
    const { priorityClassName: named, priority = 0, preemptionPolicy } = spec ?? {};
    if (named !== undefined && this.byName.has(named)) return named;
    const isMeek = preemptionPolicy === "Never";
    const name = named ?? `priority-${priority}${isMeek ? "-never-preempts" : ""}`;
    if (!this.byName.has(name)) this.add(name, priority, preemptionPolicy);
    return name;
  }

  all(): readonly PriorityClass[] {
    return [...this.byName.values()];
  }

  private add(name: string, value: number, preemptionPolicy: string | undefined): void {
    const key = classKey(name);
    this.byName.set(name, {
      kind: "PriorityClass",
      key,
      meta: importedMeta(key),
      spec: { value, preempts: preemptionPolicy === "Never" ? "never" : "lower" },
      status: {},
    });
  }
}
