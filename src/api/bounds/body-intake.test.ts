import { describe, expect, it } from "vitest";
import { BodyIntake, type Incoming } from "./body-intake.ts";

const LIMITS = {
  bodiesReceiving: 3,
  bodiesReceivingPerCaller: 2,
  bodyGraceMs: 1_000,
  bodyBytesHeld: 100,
  bodyBytesHeldPerCaller: 60,
};

function anIntake() {
  let nowMs = 0;
  const cutOff: string[] = [];
  const intake = new BodyIntake(LIMITS, () => nowMs);
  const enter = (name: string, of: Partial<Incoming> = {}) =>
    intake.enter({
      caller: name.slice(0, 1),
      bytes: 10,
      isReserved: false,
      cutOff: () => void cutOff.push(name),
      ...of,
    });
  return { intake, enter, cutOff, pass: (ms: number) => (nowMs += ms) };
}

describe("BodyIntake", () => {
  it("[HB1] a body that does not come gives its place to the next one, after its grace", () => {
    const { intake, enter, cutOff, pass } = anIntake();
    enter("a1");
    enter("a2");
    expect(() => enter("a3")).toThrow(/2 bodies of this caller are being received/);
    pass(1_000);
    enter("a3");
    expect(cutOff).toEqual(["a1"]);
    enter("b1");
    expect(() => enter("c1")).not.toThrow();
    expect(cutOff).toEqual(["a1", "a2"]);
    expect(() => enter("d1")).toThrow(/3 bodies of all callers/);
    expect([intake.receiving, intake.turnedAway, intake.cutOff]).toEqual([3, 2, 2]);
  });

  it("[HB1] a body that is here needs no place any more, but is counted in bytes until it is answered", () => {
    const { intake, enter } = anIntake();
    const first = enter("a1", { bytes: 60 });
    first.received();
    expect([intake.receiving, intake.bytes.held]).toEqual([0, 60]);
    expect(() => enter("a2")).toThrow(/The server already holds 60 bytes of this caller's bodies/);
    expect(() => enter("b1", { bytes: 41 })).toThrow(/60 of all; this body has 41/);
    first.over();
    first.over();
    enter("a2").over();
    expect([intake.receiving, intake.bytes.held]).toEqual([0, 0]);
  });

  it("[HB2] users' bodies keep no agent's out, and an agent's are bounded by themselves", () => {
    const { enter } = anIntake();
    for (const name of ["a1", "b1", "c1"]) enter(name, { bytes: 33 });
    const agent = { isReserved: true, bytes: 30 };
    enter("n1", agent);
    enter("n2", agent);
    expect(() => enter("n3", agent)).toThrow(/of this caller/);
  });
});
