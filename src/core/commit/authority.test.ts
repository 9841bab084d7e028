import { describe, expect, test } from "vitest";
import { putting } from "../../../test/builders/a-plane.ts";
import { aTurn } from "../../../test/builders/a-turn.ts";
import { InvariantBroken } from "../model/assert.ts";
import type { Actor } from "../model/actor.ts";
import type { AuthorityEffect, AuthorityInput } from "../kernel/component.ts";
import { type ObjectKey, operationId, tenantKey } from "../model/ids.ts";
import { Authority } from "./authority.ts";
import type { Commit } from "../protocol/commit-record.ts";
import type { Reply } from "../protocol/outcome.ts";
import { takeSnapshot } from "./snapshot.ts";

const OPS = { role: "user", name: "ops" } as const;

/** An authority with one client; the test plays the disk. */
class Harness {
  readonly authority = new Authority({ name: "plane-1" });
  private calls = 0;

  receive(input: AuthorityInput, now = 0): readonly AuthorityEffect[] {
    return this.authority.receive(input, aTurn(now));
  }

  lead(epoch = 1, commits: readonly Commit[] = []): readonly AuthorityEffect[] {
    this.receive({ kind: "started" });
    return this.receive({ kind: "claimed", epoch, commits });
  }

  /** Leading, with the beginning of its leadership durable. */
  static leading(): Harness {
    const harness = new Harness();
    harness.lead();
    harness.receive({ kind: "appended", result: "durable" });
    return harness;
  }

  putTenant(
    name: string,
    of: { epoch?: number; expect?: number } = {},
  ): readonly AuthorityEffect[] {
    const expectation = of.expect === undefined ? {} : { revision: of.expect };
    const put = putting(
      tenantKey(name),
      { kind: "Tenant", spec: { displayName: name } },
      { expect: expectation },
    );
    this.calls += 1;
    return this.receive({
      kind: "request",
      from: "client",
      call: this.calls,
      request: {
        kind: "command",
        attempt: 1,
        command: {
          intent: { ...put, operation: operationId(`put-${name}`) },
          epoch: of.epoch ?? 1,
          basis: 0,
          actor: OPS,
        },
      },
    });
  }

  lookup(name: string, actor: Actor = OPS): readonly AuthorityEffect[] {
    this.calls += 1;
    const operation = operationId(`put-${name}`);
    return this.receive({
      kind: "request",
      from: "client",
      call: this.calls,
      request: { kind: "lookup", operation, actor, attempt: 1 },
    });
  }
}

const kinds = (effects: readonly AuthorityEffect[]): readonly string[] =>
  effects.map(({ kind }) => kind);

const replies = (effects: readonly AuthorityEffect[]): readonly Reply[] =>
  effects.flatMap((effect) => (effect.kind === "respond" ? [effect.reply] : []));

const written = (effects: readonly AuthorityEffect[]): readonly Commit[] =>
  effects.flatMap((effect) => (effect.kind === "append" ? effect.commits : []));

const appended = (effects: readonly AuthorityEffect[]): readonly (ObjectKey | undefined)[] =>
  written(effects).map(({ changes }) => changes[0]?.key);

describe("leading", () => {
  test("begins with a claim of the log and a commit that opens the epoch [EP3]", () => {
    const harness = new Harness();
    expect(harness.receive({ kind: "started" })).toEqual([{ kind: "claim" }]);
    const effects = harness.receive({ kind: "claimed", epoch: 3, commits: [] }, 50);
    expect(effects).toMatchObject([
      { kind: "publish", to: 0 },
      { kind: "append", epoch: 3, commits: [{ revision: 1, epoch: 3, atMs: 50, command: "lead" }] },
    ]);
  });

  test("answers unavailable before the log is read [EP2]", () => {
    const harness = new Harness();
    harness.receive({ kind: "started" });
    expect(replies(harness.putTenant("a"))).toEqual([{ kind: "unavailable" }]);
    expect(harness.authority.isLeading).toBe(false);
  });

  test("a command of a later epoch than its own is answered unavailable and not checked [EP2]", () => {
    const harness = Harness.leading();
    const effects = harness.putTenant("a", { epoch: 2 });
    expect(replies(effects)).toEqual([{ kind: "unavailable" }]);
    expect(harness.authority.ledger.objects.get(tenantKey("a"))).toBeUndefined();
  });

  test("a command of an earlier epoch learns the present one from the reply [EP1]", () => {
    const harness = new Harness();
    harness.lead(7);
    harness.receive({ kind: "appended", result: "durable" });
    expect(replies(harness.putTenant("a", { epoch: 6 }))).toMatchObject([
      { kind: "outcome", epoch: 7, outcome: { kind: "conflict", code: "stale-epoch" } },
    ]);
  });
});

describe("durability", () => {
  test("a commit is not answered and not published before it is durable [EP4]", () => {
    const harness = Harness.leading();
    expect(kinds(harness.putTenant("a"))).toEqual(["append"]);
    expect(harness.receive({ kind: "appended", result: "durable" })).toEqual([
      { kind: "publish", to: 2 },
      {
        kind: "respond",
        to: "client",
        call: 1,
        reply: { kind: "outcome", outcome: { kind: "committed", revision: 2 }, epoch: 1 },
      },
    ]);
  });

  test("a refusal waits for the commits it may rest on [EP4]", () => {
    const harness = Harness.leading();
    harness.putTenant("a");
    // Checked against the tenant that is not durable yet: to say so now would be to publish it.
    const refused = harness.putTenant("b", { expect: 99 });
    expect(refused).toEqual([]);
    const effects = harness.receive({ kind: "appended", result: "durable" });
    expect(replies(effects)).toMatchObject([
      { outcome: { kind: "committed" } },
      { outcome: { kind: "conflict", code: "no-such-object" } },
    ]);
  });

  test("a look-up waits for the commit it found [EP4]", () => {
    const harness = Harness.leading();
    harness.putTenant("a");
    expect(harness.lookup("a")).toEqual([]);
    const effects = harness.receive({ kind: "appended", result: "durable" });
    expect(replies(effects)).toMatchObject([
      { kind: "outcome" },
      { kind: "found", first: { revision: 2 }, epoch: 1 },
    ]);
  });

  test("a look-up says how far the truth has come since what it found [RN7]", () => {
    const harness = Harness.leading();
    for (const name of ["a", "b"]) {
      harness.putTenant(name);
      harness.receive({ kind: "appended", result: "durable" });
    }
    expect(replies(harness.lookup("a"))).toEqual([
      { kind: "found", first: { kind: "committed", revision: 2 }, asOf: 3, epoch: 1 },
    ]);
  });

  test("is quiet when nothing is being written and no sender waits for an answer [EP4]", () => {
    const harness = Harness.leading();
    expect(harness.authority.isQuiet).toBe(true);
    harness.putTenant("a");
    expect(harness.authority.isQuiet).toBe(false);
    harness.lookup("a");
    harness.receive({ kind: "appended", result: "durable" });
    expect(harness.authority.isQuiet).toBe(true);
    expect(new Harness().authority.isQuiet).toBe(false);
  });

  test("goes on from a ledger in the middle of a leadership [EP4]", () => {
    const { ledger } = Harness.leading().authority;
    const authority = Authority.resumed({ name: "plane-1", ledger });
    expect(authority).toMatchObject({ isLeading: true, isQuiet: true, epoch: 1 });
    const lookup = { kind: "lookup", operation: operationId("lead/1"), attempt: 1 } as const;
    const request = { kind: "request", from: "client", call: 1, request: lookup } as const;
    expect(replies(authority.receive(request, aTurn()))).toMatchObject([{ kind: "found" }]);
  });

  test("a look-up is answered only from the operations of the sender it names [ID2]", () => {
    const harness = Harness.leading();
    harness.putTenant("a");
    harness.receive({ kind: "appended", result: "durable" });
    expect(replies(harness.lookup("a"))).toMatchObject([{ kind: "found" }]);
    const others = [
      { role: "user", name: "eve" },
      { role: "agent", name: "agent:ops" },
      { role: "place", name: "ops" },
    ] as const;
    for (const other of others) {
      expect(replies(harness.lookup("a", other))).toEqual([{ kind: "not-found", epoch: 1 }]);
    }
  });

  test("a duplicate waits for the commit it repeats [EP4]", () => {
    const harness = Harness.leading();
    harness.putTenant("a");
    expect(harness.putTenant("a")).toEqual([]);
    const effects = harness.receive({ kind: "appended", result: "durable" });
    expect(replies(effects)).toMatchObject([
      { outcome: { kind: "committed", revision: 2 } },
      { outcome: { kind: "duplicate", first: { revision: 2 } } },
    ]);
  });

  test("what rests on nothing that is under way is answered at once [EP4]", () => {
    const harness = Harness.leading();
    expect(replies(harness.lookup("nobody"))).toEqual([{ kind: "not-found", epoch: 1 }]);
  });

  test("an answer about an unknown batch changes nothing [EP4]", () => {
    const harness = Harness.leading();
    for (const result of ["durable", "fenced", "unknown"] as const) {
      expect(harness.receive({ kind: "appended", result })).toEqual([]);
    }
    expect(harness.authority.isLeading).toBe(true);
  });

  test("one batch is written at a time, and what arrives meanwhile makes the next [EP4]", () => {
    const harness = Harness.leading();
    expect(appended(harness.putTenant("a"))).toEqual([tenantKey("a")]);
    expect(harness.putTenant("b")).toEqual([]);
    expect(harness.putTenant("c")).toEqual([]);
    const next = harness.receive({ kind: "appended", result: "durable" });
    expect(kinds(next)).toEqual(["publish", "respond", "append"]);
    expect(appended(next)).toEqual([tenantKey("b"), tenantKey("c")]);
    expect(next[0]).toEqual({ kind: "publish", to: 2 });
  });
});

describe("losing the log", () => {
  test("a fenced batch is not answered, and the authority resigns [EP3]", () => {
    const harness = Harness.leading();
    harness.putTenant("a");
    harness.putTenant("b");
    expect(harness.receive({ kind: "appended", result: "fenced" })).toEqual([{ kind: "resigned" }]);
    expect(harness.authority.isLeading).toBe(false);
  });

  test("an authority that has resigned checks nothing and writes nothing more [EP3]", () => {
    const harness = Harness.leading();
    harness.putTenant("a");
    harness.receive({ kind: "appended", result: "fenced" });
    for (const effects of [harness.putTenant("c"), harness.lookup("a")]) {
      expect(appended(effects)).toEqual([]);
      expect(replies(effects).filter(({ kind }) => kind !== "unavailable")).toEqual([]);
    }
    expect(harness.receive({ kind: "appended", result: "durable" })).toEqual([]);
    expect(harness.receive({ kind: "claimed", epoch: 9, commits: [] })).toEqual([]);
  });

  test("after an append of unknown outcome the log is claimed again and no sender is answered [EP5]", () => {
    const harness = Harness.leading();
    harness.putTenant("a");
    harness.putTenant("b");
    expect(harness.receive({ kind: "appended", result: "unknown" })).toEqual([{ kind: "claim" }]);
    expect(replies(harness.putTenant("c"))).toEqual([{ kind: "unavailable" }]);
  });

  test.each([
    { title: "that had landed [EP5]", landed: true, reply: "found" },
    { title: "that had not landed [EP5]", landed: false, reply: "not-found" },
  ])("it goes on from what it then reads, and a look-up tells of a batch $title", (row) => {
    const harness = new Harness();
    const opening = written(harness.lead());
    harness.receive({ kind: "appended", result: "durable" });
    const batch = written(harness.putTenant("a"));
    harness.receive({ kind: "appended", result: "unknown" });
    const commits = row.landed ? [...opening, ...batch] : opening;
    const again = harness.receive({ kind: "claimed", epoch: 2, commits });
    expect(kinds(again)).toEqual(["publish", "append"]);
    harness.receive({ kind: "appended", result: "durable" });
    expect(replies(harness.lookup("a"))).toMatchObject([{ kind: row.reply, epoch: 2 }]);
  });

  test("it goes on from a snapshot and the commits after it [EP5]", () => {
    const first = Harness.leading();
    first.putTenant("a");
    const snapshot = takeSnapshot(first.authority.ledger);
    const harness = new Harness();
    harness.receive({ kind: "started" });
    const effects = harness.receive({ kind: "claimed", epoch: 2, snapshot, commits: [] });
    expect(written(effects)).toMatchObject([{ revision: 3, epoch: 2, command: "lead" }]);
    harness.receive({ kind: "appended", result: "durable" });
    expect(replies(harness.lookup("a"))).toMatchObject([{ kind: "found", first: { revision: 2 } }]);
  });

  test("a log that goes backwards stops the authority [EP3]", () => {
    const harness = Harness.leading();
    const batch = written(harness.putTenant("a"));
    expect(() => new Harness().lead(2, batch)).toThrow(InvariantBroken);
  });
});
