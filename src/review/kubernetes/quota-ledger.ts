/**
 * What the pods of each namespace use of its resource quotas. A pod that is being deleted counts on
 * until twice its grace period is over (`QuotaV1Pod` in pkg/quota/v1/evaluator/core/pods.go), and
 * then until the quota is counted anew.
 */
import { type Amounts, NOTHING, minus, plus, shortage } from "../../core/model/amounts.ts";
import { quotaKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";

interface Usage {
  amounts: Amounts;
  pods: number;
}

export class QuotaLedger {
  private readonly objects: ObjectIndex;
  private readonly usage = new Map<string, Usage>();

  constructor(objects: ObjectIndex) {
    this.objects = objects;
    for (const replica of objects.all("Replica").values()) this.charge(replica);
  }

  /** The amount that is short for one more pod like this; undefined: it is admitted. */
  shortFor({ meta, spec }: Replica): string | undefined {
    const quota = this.objects.all("Quota").get(quotaKey(meta.namespace))?.spec;
    if (quota === undefined) return undefined;
    const { amounts, pods } = this.usageOf(meta.namespace);
    if (quota.counts !== undefined && pods + 1 > (quota.counts.replicas ?? Infinity)) return "pods";
    const short = shortage(plus(amounts, spec.template.ask.amounts), quota.limit);
    return short === undefined ? undefined : NAMES[short];
  }

  charge({ meta, spec }: Replica): void {
    const usage = this.usageOf(meta.namespace);
    usage.amounts = plus(usage.amounts, spec.template.ask.amounts);
    usage.pods += 1;
  }

  free({ meta, spec }: Replica): void {
    const usage = this.usageOf(meta.namespace);
    usage.amounts = minus(usage.amounts, spec.template.ask.amounts);
    usage.pods -= 1;
  }

  private usageOf(namespace: string): Usage {
    let usage = this.usage.get(namespace);
    if (usage === undefined) this.usage.set(namespace, (usage = { amounts: NOTHING, pods: 0 }));
    return usage;
  }
}

const NAMES: Readonly<Record<keyof Amounts, string>> = {
  cpuMillis: "cpu",
  memoryMiB: "memory",
  deviceMillis: "devices",
};
