import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AgentHost } from "../../src/agent/agent-host.ts";
import { NodeMemory } from "../../src/agent/node-memory.ts";
import type { PlaneInput } from "../../src/agent/plane/plane-link.ts";
import { Supervisor } from "../../src/agent/process/supervisor.ts";
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import type { AgentInput, Request } from "../../src/core/kernel/component.ts";
import { aRefusal } from "../builders/a-refusal.ts";
import { DriverHarness, eventually } from "./a-driver.ts";

interface Sent {
  readonly call: number;
  readonly request: Request;
  /** What was on disk when it was sent. */
  readonly remembered: { readonly session: number; readonly epoch: number };
}

let harness: DriverHarness;
let host: AgentHost;
let give: (input: PlaneInput) => void;
let sent: Sent[];
const broken: unknown[] = [];

beforeEach(() => {
  harness = new DriverHarness();
  harness.driver.close();
  sent = [];
});
afterEach(async () => {
  host.stop();
  await harness.end();
});

/** The plane's side of the link is the test. */
function startHost(onInput?: (component: string, input: AgentInput, atMs: number) => void): void {
  const { folder, clock } = harness;
  const memory = new NodeMemory({ folder, node: "a-1", bootId: "boot-1" });
  const remembered = () =>
    JSON.parse(readFileSync(join(folder, "node.json"), "utf8")) as Sent["remembered"];
  host = new AgentHost({
    node: "a-1",
    clock,
    memory,
    machine: { capacity: { cpuMillis: 1_000, memoryMiB: 512 }, deviceIds: ["g-1"] },
    createDriver: (tell) =>
      new Supervisor({ folder, node: "a-1", host: "127.0.0.1", clock, tell, note: () => {} }),
    connect: (toHost) => {
      give = toHost;
      return {
        send: (call, request) => void sent.push({ call, request, remembered: remembered() }),
        list: () => undefined,
        measured: () => Promise.resolve(0),
        close: () => undefined,
      };
    },
    onBroken: (error) => void broken.push(error),
    ...(onInput === undefined ? {} : { onInput }),
  });
  host.start();
}

const leases = () =>
  sent.flatMap(({ call, request, remembered }) =>
    request.kind === "command" && request.command.intent.kind === "lease"
      ? [{ call, command: request.command, intent: request.command.intent, remembered }]
      : [],
  );

function answerLease(outcome: Outcome, epoch: number): void {
  give({ kind: "reply", call: leases().at(-1)!.call, reply: { kind: "outcome", outcome, epoch } });
}

describe("the agent's host", () => {
  test("begins with what the node remembers, then asks for the lease", () => {
    const inputs: AgentInput[] = [];
    startHost((component, input) => {
      expect(component).toBe("agent:a-1");
      inputs.push(input);
    });
    const capacity = { cpuMillis: 1_000, memoryMiB: 512 };
    const machine = { capacity, deviceIds: ["g-1"], ...host.driver.machine };
    expect(machine.drivers).toEqual([{ name: "process" }]);
    expect(inputs.slice(0, 2)).toEqual([
      { kind: "adopted", session: 1, epoch: 0, machine, processes: [] },
      { kind: "started" },
    ]);
    expect(leases()).toMatchObject([{ intent: { session: 1, seq: 1 } }]);
  });

  test("has an epoch on disk before it says anything under it [AG3]", async () => {
    startHost();
    answerLease(aRefusal("stale-epoch"), 7);
    await eventually("the next renewal", () => leases().length > 1);
    expect(leases().at(-1)).toMatchObject({ command: { epoch: 7 }, remembered: { epoch: 7 } });
  });

  test("has a session on disk before it speaks in it [AG5]", () => {
    startHost();
    answerLease(aRefusal("node-fenced", { expected: "session after 1" }), 1);
    expect(leases().at(-1)).toMatchObject({ intent: { session: 2 }, remembered: { session: 2 } });
  });

  test("renews by its own timer, long before the lease is over", async () => {
    startHost();
    answerLease({ kind: "committed", revision: 1 }, 1);
    await eventually("the next renewal", () => leases().length > 1);
    expect(leases().at(-1)).toMatchObject({ intent: { session: 1, seq: 2 } });
  });

  test("ends when the logic finds itself broken, and says so once", () => {
    startHost();
    give({ kind: "listed", objects: null as unknown as [], revision: 5, epoch: 1 });
    give({ kind: "watch", commits: [], to: 6, epoch: 1 });
    expect(broken.splice(0)).toHaveLength(1);
  });
});
