/** A runner with a scripted controller and a clock that the test turns by hand; the test plays the plane. */
import type { Outcome, Reply } from "../../src/core/protocol/outcome.ts";
import type { ClientEffect, ClientInput, Request } from "../../src/core/kernel/component.ts";
import type { AnyObject } from "../../src/core/model/objects.ts";
import { Runner } from "../../src/core/runner/runner.ts";
import { aCommit, type CommitParts } from "./a-commit.ts";
import { aNode } from "./a-node.ts";
import { ScriptedController, type Script } from "./a-scripted-controller.ts";
import { aTurn } from "./a-turn.ts";

export interface Sent {
  readonly call: number;
  readonly request: Request;
}

export class RunnerHarness {
  readonly controller: ScriptedController;
  readonly runner: Runner;
  now = 0;
  /** The effects of the last input. */
  effects: readonly ClientEffect[] = [];
  /** Every request ever sent, oldest first. */
  readonly sent: Sent[] = [];

  constructor(script?: Script) {
    this.controller = new ScriptedController(script);
    this.runner = new Runner({ name: "place-1", controller: this.controller });
  }

  give(input: ClientInput): this {
    this.effects = this.runner.receive(input, aTurn(this.now));
    for (const effect of this.effects) {
      if (effect.kind === "request") this.sent.push({ call: effect.call, request: effect.request });
    }
    return this;
  }

  /** Lets so much time pass and fires the timer. */
  later(ms: number): this {
    this.now += ms;
    return this.give({ kind: "timer" });
  }

  started(): this {
    return this.give({ kind: "started" });
  }

  listed(objects: readonly AnyObject[] = [aNode()], revision = 10, epoch = 1): this {
    return this.give({ kind: "listed", objects, revision, epoch });
  }

  watched(...commits: readonly CommitParts[]): this {
    const to = commits.at(-1)?.revision ?? 0;
    return this.give({ kind: "watch", commits: commits.map(aCommit), to, epoch: 1 });
  }

  /** Answers the newest request, or the one with this call number. */
  replied(reply: Reply, call = this.sent.at(-1)!.call): this {
    return this.give({ kind: "reply", call, reply });
  }

  outcome(outcome: Outcome, call?: number): this {
    return this.replied({ kind: "outcome", outcome, epoch: 1 }, call);
  }

  committed(revision: number, call?: number): this {
    return this.outcome({ kind: "committed", revision }, call);
  }

  /** What was sent, each as `command delete-a-1 #1`. */
  get said(): readonly string[] {
    return this.sent.map(({ request }) => {
      const operation =
        request.kind === "lookup" ? request.operation : request.command.intent.operation;
      return `${request.kind} ${operation} #${request.attempt}`;
    });
  }

  get lookedAt(): readonly string[] {
    return this.controller.looks.map(({ key }) => key.replace("Node//", ""));
  }

  get asksForList(): boolean {
    return this.effects.some(({ kind }) => kind === "list");
  }

  get timerMs(): number | undefined {
    return this.effects.flatMap((effect) => (effect.kind === "timer" ? [effect.atMs] : [])).at(-1);
  }
}

/** Listed at revision 10 with these nodes, at time 0. */
export const aRunner = (script?: Script, nodes: readonly string[] = ["a-1"]): RunnerHarness =>
  new RunnerHarness(script).started().listed(nodes.map((name) => aNode({ name })));
