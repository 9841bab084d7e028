/** The agent of node a-1, with a clock that the test turns by hand; the test plays plane and driver. */
import { ConvergeNode } from "../../src/core/agent/converge-node.ts";
import type { IntentOf } from "../../src/core/protocol/command.ts";
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import type {
  AdoptedProcess,
  AgentEffect,
  AgentInput,
  ProcessEvent,
} from "../../src/core/kernel/component.ts";
import type { ObjectKey } from "../../src/core/model/ids.ts";
import type { Machine } from "../../src/core/model/node/machine.ts";
import type { Replica } from "../../src/core/model/objects.ts";
import { aCommit } from "./a-commit.ts";
import { aReplica } from "./a-replica.ts";
import { aTurn } from "./a-turn.ts";

/** Room for whatever a test does not say otherwise about. */
const ROOMY: Machine = {
  capacity: { cpuMillis: 64_000, memoryMiB: 65_536 },
  deviceIds: ["g-0", "g-1"],
  notes: [],
};

type Of<K extends AgentEffect["kind"]> = Extract<AgentEffect, { readonly kind: K }>;

export class AgentHarness {
  readonly agent = new ConvergeNode({ node: "a-1" });
  now = 0;
  /** Every effect so far, oldest first. */
  readonly effects: AgentEffect[] = [];
  /** The effects of the last input. */
  last: readonly AgentEffect[] = [];

  give(input: AgentInput): this {
    this.last = this.agent.receive(input, aTurn(this.now));
    this.effects.push(...this.last);
    return this;
  }

  later(ms: number): this {
    this.now += ms;
    return this.give({ kind: "timer" });
  }

  adopted(
    of: {
      readonly session?: number;
      readonly epoch?: number;
      readonly processes?: readonly AdoptedProcess[];
      readonly machine?: Partial<Machine>;
    } = {},
  ): this {
    const { session = 1, epoch = 1, processes = [] } = of;
    const machine = { ...ROOMY, ...of.machine };
    return this.give({ kind: "adopted", session, epoch, machine, processes });
  }

  listed(replicas: readonly Replica[] = [], revision = 10, epoch = 1): this {
    return this.give({ kind: "listed", objects: replicas, revision, epoch });
  }

  /** A commit that wrote this replica, at this revision. */
  saw(replica: Replica, revision: number, epoch = 1): this {
    const written = { ...replica, meta: { ...replica.meta, revision } };
    // Shown as having been on the node before, so that the agent is told when it leaves.
    const before = aReplica({ node: "a-1", stage: "bound" });
    const commit = aCommit({ revision });
    const commits = [{ ...commit, changes: [{ key: replica.key, before, after: written }] }];
    return this.give({ kind: "watch", commits, to: revision, epoch });
  }

  heard(event: ProcessEvent): this {
    return this.give({ kind: "process", event });
  }
  alive(replica: ObjectKey = aReplica().key, incarnation = 1): this {
    return this.heard({ kind: "alive", replica, incarnation });
  }
  probed(ready: boolean, replica: ObjectKey = aReplica().key, incarnation = 1): this {
    return this.heard({ kind: "probed", replica, incarnation, ready });
  }
  exited(code: number, replica: ObjectKey = aReplica().key, incarnation = 1): this {
    return this.heard({ kind: "exited", replica, incarnation, code });
  }

  /** Answers the newest report. */
  reportLanded(revision: number): this {
    return this.answer("report", { kind: "committed", revision });
  }
  /** Answers the newest renewal. */
  renewed(outcome: Outcome = { kind: "committed", revision: 1 }, epoch = 1): this {
    return this.answer("lease", outcome, epoch);
  }

  private answer(kind: "report" | "lease", outcome: Outcome, epoch = 1): this {
    const call = this.calls(kind).at(-1)!;
    return this.give({ kind: "reply", call, reply: { kind: "outcome", outcome, epoch } });
  }

  private calls(kind: "report" | "lease"): readonly number[] {
    return this.effects.flatMap((effect) =>
      effect.kind === "request" &&
      effect.request.kind === "command" &&
      effect.request.command.intent.kind === kind
        ? [effect.call]
        : [],
    );
  }

  all<K extends AgentEffect["kind"]>(kind: K): readonly Of<K>[] {
    return this.effects.filter((effect): effect is Of<K> => effect.kind === kind);
  }
  lately<K extends AgentEffect["kind"]>(kind: K): readonly Of<K>[] {
    return this.last.filter((effect): effect is Of<K> => effect.kind === kind);
  }

  /** The stages reported so far. */
  get reports(): readonly string[] {
    return this.intents("report").map(({ stage }) => stage);
  }
  get lastReport(): IntentOf<"report"> | undefined {
    return this.intents("report").at(-1);
  }
  get renewals(): readonly IntentOf<"lease">[] {
    return this.intents("lease");
  }

  private intents<K extends "report" | "lease">(kind: K): readonly IntentOf<K>[] {
    return this.effects.flatMap((effect) => {
      if (effect.kind !== "request" || effect.request.kind !== "command") return [];
      const { intent } = effect.request.command;
      return intent.kind === kind ? [intent as IntentOf<K>] : [];
    });
  }
}

/** An agent whose lease is held from time 0, and whose list at revision 10 names these replicas. */
export const anAgent = (
  replicas: readonly Replica[] = [],
  machine: Partial<Machine> = {},
): AgentHarness =>
  new AgentHarness().adopted({ machine }).give({ kind: "started" }).renewed().listed(replicas);

/** A replica on node a-1, in the first session. */
export const onNode = (of: Parameters<typeof aReplica>[0] = {}): Replica =>
  aReplica({ stage: "bound", node: "a-1", session: 1, ...of });

/** An agent with one process that it started itself, permitted at revision 12. */
export const anAgentWithProcess = (of: Parameters<typeof aReplica>[0] = {}): AgentHarness =>
  anAgent([onNode(of)])
    .reportLanded(12)
    .saw(onNode({ ...of, stage: "starting" }), 12)
    .alive();
