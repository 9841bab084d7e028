import { expect, test } from "vitest";
import { operationId } from "../../core/model/ids.ts";
import type { ClientProcess } from "../hosts/client-process.ts";
import type { Fault } from "./fault.ts";
import { FaultInjector } from "./fault-injector.ts";
import { hashText } from "../../core/kernel/keyed-hash.ts";
import type { Message } from "../hosts/message.ts";
import type { FaultSource } from "../report/run-result.ts";

const message = (label: string, attempt: number, from = "admit"): Message => ({
  client: { name: from, nameHash: hashText(from) } as ClientProcess,
  incarnation: 1,
  call: 1,
  request: { kind: "lookup", operation: operationId(label), attempt },
  label,
  labelHash: hashText(label),
  attempt,
  isAnswered: false,
});

const injector = (source: Partial<FaultSource>): FaultInjector =>
  new FaultInjector({ seed: 1, source: { explicit: [], rates: {}, ...source }, untilMs: 1_000 });

const lost: Fault = { fault: "lose-request", from: "admit", operation: "op", attempt: 2 };

test("a listed fault hits its one message, once", () => {
  const faults = injector({ explicit: [lost] });
  expect(faults.onMessage("lose-request", message("op", 1))).toBeUndefined();
  expect(faults.onMessage("lose-reply", message("op", 2))).toBeUndefined();
  expect(faults.onMessage("lose-request", message("op", 2, "place-1"))).toBeUndefined();
  expect(faults.onMessage("lose-request", message("op", 2))).toEqual(lost);
  expect(faults.onMessage("lose-request", message("op", 2))).toBeUndefined();
  expect(faults.fired).toEqual([lost]);
});

test("only messages that a fault could hit are looked at closely, and only in the time of faults", () => {
  const listed = injector({ explicit: [lost] });
  expect(listed.mayHitRequest(message("op", 1), 0)).toBe(true);
  expect(listed.mayHitRequest(message("other", 1), 0)).toBe(false);
  expect(listed.mayHitRequest(message("op", 1), 1_000)).toBe(false);
  expect(injector({ rates: { "lose-reply": 1 } }).mayHitRequest(message("op", 1), 0)).toBe(false);
  expect(injector({ rates: { "lose-reply": 1 } }).mayHitReply(message("op", 1), 0)).toBe(true);
});

const hits = (): string[] => {
  const faults = injector({ rates: { "delay-reply": 10_000 } });
  for (let at = 0; at < 1_000; at++) faults.onMessage("delay-reply", message(`op/${at}`, 1));
  return faults.fired.map((fault) => JSON.stringify(fault));
};

const lostAmong = (rates: FaultSource["rates"]): readonly Fault[] => {
  const faults = injector({ rates });
  for (let at = 0; at < 500; at++) {
    faults.onMessage("lose-request", message(`op/${at}`, 1));
    faults.onMessage("delay-request", message(`op/${at}`, 1));
  }
  return faults.fired.filter(({ fault }) => fault === "lose-request");
};

test("drawn faults come at about their rate and are the same every time", () => {
  expect(hits().length).toBeGreaterThan(70);
  expect(hits().length).toBeLessThan(130);
  expect(hits()).toEqual(hits());
});

test("the rate of one fault does not move another", () => {
  const alone = lostAmong({ "lose-request": 5_000 });
  expect(alone.length).toBeGreaterThan(0);
  expect(lostAmong({ "lose-request": 5_000, "delay-request": 50_000 })).toEqual(alone);
});

test("process faults are aimed at one incarnation of one replica", () => {
  const slow: Fault = {
    fault: "slow-start",
    replica: "Replica/t/w.1.0",
    incarnation: 2,
    byMs: 700,
  };
  const faults = injector({ explicit: [slow] });
  expect(
    faults.onProcess("slow-start", { replica: slow.replica, incarnation: 1 }, 0),
  ).toBeUndefined();
  expect(
    faults.onProcess("slow-start", { replica: slow.replica, incarnation: 2 }, 1_000),
  ).toBeUndefined();
  expect(faults.onProcess("slow-start", { replica: slow.replica, incarnation: 2 }, 0)).toEqual(
    slow,
  );
});
