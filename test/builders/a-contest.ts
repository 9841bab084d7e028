/**
 * A plane on which work of several classes wants the same room: one node of 1000 milli-CPU, workloads by name,
 * each of a class of its own. Everything goes through the authority; nothing is planted.
 */
import type { IntentOf } from "../../src/core/protocol/command.ts";
import type { Disruption } from "../../src/core/model/disruption.ts";
import { type ObjectKey, replicaKey, workloadKey } from "../../src/core/model/ids.ts";
import type { PriorityClassSpec, Replica, Reservation } from "../../src/core/model/objects.ts";
import { priorityClassKey } from "../../src/core/model/preemption.ts";
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import type { NodeParts } from "./a-node.ts";
import { Plane, putting } from "./a-plane.ts";
import type { TemplateParts } from "./a-template.ts";
import { aWorkloadSpec } from "./a-workload.ts";

export interface Contender extends TemplateParts {
  readonly replicas?: number;
  readonly disruption?: Disruption;
}

export class Contest extends Plane {
  constructor(node: NodeParts = {}) {
    super();
    this.tenant({ cpuMillis: 100_000, memoryMiB: 100_000, deviceMillis: 100_000 });
    this.joined("a-1", node);
  }

  class(name: string, spec: PriorityClassSpec): void {
    this.must(putting(priorityClassKey(name), { kind: "PriorityClass", spec }));
  }

  /** A workload of the class with its own name, unless it says otherwise. */
  contender(name: string, of: Contender = {}): void {
    const spec = { ...aWorkloadSpec({ priorityClass: name, ...of }) };
    const desired = of.disruption === undefined ? spec : { ...spec, disruption: of.disruption };
    this.must(putting(workloadKey("payments", name), { kind: "Workload", spec: desired }));
  }

  enqueued(name: string, index = 0): Replica {
    const indexes = [
      { index, incarnation: (this.index(name, index)?.status.incarnation ?? 0) + 1 },
    ];
    const workload = workloadKey("payments", name);
    this.must({ kind: "enqueue", workload, generation: 1, indexes });
    return this.index(name, index)!;
  }

  placed(name: string, index = 0, of: { node?: string; deviceIds?: string[] } = {}): Replica {
    this.enqueued(name, index);
    const committed = this.place(name, index, of);
    if (committed.kind !== "committed") throw new Error(JSON.stringify(committed));
    return this.index(name, index)!;
  }

  serves(name: string, index = 0, of: { node?: string } = {}): Replica {
    const { key, status } = this.placed(name, index, of);
    const { incarnation, session } = status;
    for (const stage of ["starting", "serving"] as const) {
      this.must({ kind: "report", replica: key, incarnation, node: status.node!, session, stage });
    }
    return this.index(name, index)!;
  }

  /** Its agent says that the process has stopped. */
  stopped(name: string, index = 0): void {
    const { key, status } = this.index(name, index)!;
    const { incarnation, session, node } = status;
    this.must({
      kind: "report",
      replica: key,
      incarnation,
      node: node!,
      session,
      stage: "released",
    });
  }

  place(name: string, index = 0, of: { node?: string; deviceIds?: string[] } = {}): Outcome {
    const { node = "a-1", deviceIds = [] } = of;
    const { key, status } = this.index(name, index)!;
    return this.send({
      kind: "bind",
      replica: key,
      incarnation: status.incarnation,
      node,
      deviceIds,
    });
  }

  preempt(
    name: string,
    victims: readonly string[],
    of: Partial<IntentOf<"preempt">> = {},
  ): Outcome {
    const { key, status } = this.index(name)!;
    return this.send(
      {
        kind: "preempt",
        replica: key,
        incarnation: status.incarnation,
        node: "a-1",
        deviceIds: [],
        victims: victims.map((each) => {
          const [workload = "", index = "0"] = each.split(".");
          const victim = this.index(workload, Number(index))!;
          return { replica: victim.key, incarnation: victim.status.incarnation };
        }),
        holdMs: 60_000,
        ...of,
      },
      { role: "preempt" },
    );
  }

  index(name: string, index = 0): Replica | undefined {
    const key = replicaKey({ tenant: "payments", workload: name, generation: 1, index });
    return this.ledger.objects.replica(key);
  }

  room(name: string, index = 0): Reservation | undefined {
    const incarnation = this.index(name, index)?.status.incarnation ?? 1;
    const key = `Reservation/payments/${name}.1.${index}.${incarnation}.room` as ObjectKey;
    return this.ledger.objects.reservation(key);
  }
}

/** `low` serves on the only node and fills it with two replicas; `high` is queued and needs half of it. */
export function aContest(
  of: { readonly low?: Contender; readonly high?: Contender } = {},
): Contest {
  const contest = new Contest();
  contest.class("low", { value: 10 });
  contest.class("high", { value: 20 });
  contest.contender("low", { cpuMillis: 500, replicas: 2, ...of.low });
  contest.contender("high", { cpuMillis: 500, ...of.high });
  for (const index of [0, 1]) contest.serves("low", index);
  contest.enqueued("high");
  return contest;
}
