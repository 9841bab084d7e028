/**
 * What remote controllers may send is what controllers do send. The shape of commands is written down twice, once as
 * types and once as what is let in from outside; here everything that simulated controllers and agents ever asked for is
 * held against the latter.
 */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { readSecretsAsk } from "../../src/api/secrets/secret-routes.ts";
import { commandsCheck } from "../../src/api/http/commands-check.ts";
import type { Request } from "../../src/core/kernel/component.ts";
import type { CommandKind } from "../../src/core/protocol/command.ts";
import type { OperationId } from "../../src/core/model/ids.ts";
import type { Checker, Report, Truth } from "../../src/sim/check/checker.ts";
import { Engine } from "../../src/sim/engine.ts";
import { drawSwarm } from "../../src/sim/swarm/swarm.ts";

/** Enough of them that every kind is among what is sent, which the second test says; in the last three room is given back and a drain is over. */
const SEEDS = [...Array.from({ length: 30 }, (_, at) => at + 1), 63, 76, 109];

/** The compiler says when one is missing here. */
const SENT_BY: Readonly<Record<CommandKind, "controllers and agents" | "people and hosts">> = {
  put: "controllers and agents",
  delete: "controllers and agents",
  admit: "controllers and agents",
  enqueue: "controllers and agents",
  reserve: "controllers and agents",
  transition: "controllers and agents",
  bind: "controllers and agents",
  "bind-all": "controllers and agents",
  preempt: "controllers and agents",
  release: "controllers and agents",
  unreserve: "controllers and agents",
  expire: "controllers and agents",
  roll: "controllers and agents",
  "hold-recovery": "controllers and agents",
  recover: "controllers and agents",
  "drain-over": "controllers and agents",
  activate: "people and hosts",
  observe: "people and hosts",
  scale: "controllers and agents",
  provision: "controllers and agents",
  provisioned: "people and hosts",
  "scale-down": "controllers and agents",
  finish: "controllers and agents",
  confirm: "controllers and agents",
  evict: "controllers and agents",
  report: "controllers and agents",
  lease: "controllers and agents",
  join: "people and hosts",
  incarnate: "people and hosts",
  hear: "people and hosts",
  lend: "people and hosts",
  "take-terms": "people and hosts",
  "end-term": "people and hosts",
  "end-learning": "people and hosts",
  "region-gone": "people and hosts",
};

class Listener implements Checker {
  readonly name = "listener";
  readonly kinds = new Set<CommandKind>();
  readonly strange = new Map<string, string>();

  requested(
    from: string,
    _operation: OperationId,
    _attempt: number,
    _truth: Truth,
    _report: Report,
    request: Request,
  ): void {
    const kind = request.kind === "command" ? request.command.intent.kind : undefined;
    if (kind !== undefined) this.kinds.add(kind);
    // As it would come over the wire: what is undefined is left out.
    const body: unknown = JSON.parse(JSON.stringify({ from, request }));
    // It has a path of its own, /commands/secrets, which throws what is wrong with a question.
    if (request.kind === "lookup" && request.secrets !== undefined) {
      const { secrets } = request;
      const read = readSecretsAsk(JSON.parse(JSON.stringify(secrets)));
      if (!isDeepStrictEqual(read, secrets)) {
        this.strange.set(
          "secrets",
          `${JSON.stringify(secrets)} was read as ${JSON.stringify(read)}`,
        );
      }
      return;
    }
    const check = commandsCheck(body);
    if (check(body)) return;
    const worst = check.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`);
    this.strange.set(`${request.kind} ${kind ?? ""}`, worst?.join("; ") ?? "");
  }
}

function listen(): Listener {
  const listener = new Listener();
  for (const seed of SEEDS) {
    const { world: drawn, rates } = drawSwarm(seed);
    // Attackers send numbers and shapes that no server takes.
    const { attacks: _, ...world } = drawn;
    new Engine({ world, seed, faults: { explicit: [], rates } }, [listener]).run();
  }
  return listener;
}

describe("what simulated controllers and agents send", () => {
  const listener = listen();

  test("would be let in from outside, all of it", () => {
    expect([...listener.strange]).toEqual([]);
  });

  test.for(Object.entries(SENT_BY))(
    "has commands of the kind %s if they are theirs",
    ([kind, by]) => {
      const isSent = listener.kinds.has(kind as CommandKind);
      expect(isSent || by === "people and hosts").toBe(true);
    },
  );
});
