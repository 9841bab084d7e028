/**
 * An authority on a log that several planes share: how it follows, takes over, and loses the lead.
 */
import { describe, expect, test } from "vitest";
import { putting } from "../../../test/builders/a-plane.ts";
import { aTurn } from "../../../test/builders/a-turn.ts";
import { InvariantBroken } from "../model/assert.ts";
import type { AuthorityEffect, AuthorityInput } from "../kernel/component.ts";
import { operationId, tenantKey } from "../model/ids.ts";
import { Authority } from "./authority.ts";
import type { Commit } from "../protocol/commit-record.ts";
import { takeSnapshot } from "./snapshot.ts";

const OPS = { role: "user", name: "ops" } as const;
const UNAVAILABLE = { kind: "unavailable" };

/** One plane; the test plays the store and the client. */
class Plane {
  readonly authority: Authority;
  private calls = 0;

  constructor(name: string) {
    this.authority = new Authority({ name });
    this.give({ kind: "started" });
  }

  give(input: AuthorityInput): readonly AuthorityEffect[] {
    return this.authority.receive(input, aTurn(0));
  }

  put(name: string, epoch: number): readonly AuthorityEffect[] {
    const put = putting(tenantKey(name), { kind: "Tenant", spec: { displayName: name } });
    const intent = { ...put, operation: operationId(`put-${name}`) };
    const command = { intent, epoch, basis: 0, actor: OPS };
    return this.ask({ kind: "command", attempt: 1, command });
  }

  lookup(name: string): readonly AuthorityEffect[] {
    return this.ask({
      kind: "lookup",
      operation: operationId(`put-${name}`),
      actor: OPS,
      attempt: 1,
    });
  }

  knows(name: string): boolean {
    return this.authority.ledger.objects.get(tenantKey(name)) !== undefined;
  }

  private ask(
    request: Extract<AuthorityInput, { kind: "request" }>["request"],
  ): readonly AuthorityEffect[] {
    return this.give({ kind: "request", from: "client", call: ++this.calls, request });
  }
}

const written = (effects: readonly AuthorityEffect[]): readonly Commit[] =>
  effects.flatMap((effect) => (effect.kind === "append" ? effect.commits : []));

const replies = (effects: readonly AuthorityEffect[]): readonly unknown[] =>
  effects.flatMap((effect) => (effect.kind === "respond" ? [effect.reply] : []));

/** A leader of epoch 1 with one tenant, and the log it has made durable. */
function aLeader(): { readonly leader: Plane; readonly log: readonly Commit[] } {
  const leader = new Plane("plane-1");
  leader.give({ kind: "followed", commits: [] });
  const log = [...written(leader.give({ kind: "took-over", epoch: 1, end: 0 }))];
  leader.give({ kind: "appended", result: "durable", epoch: 1 });
  log.push(...written(leader.put("a", 1)));
  leader.give({ kind: "appended", result: "durable", epoch: 1 });
  return { leader, log };
}

describe("a standby", () => {
  test("folds what is durable, shows it, and goes on from there [EP6]", () => {
    const { log } = aLeader();
    const standby = new Plane("plane-2");
    const [first, ...others] = log;
    expect(standby.give({ kind: "followed", commits: first ? [first] : [] })).toEqual([
      { kind: "publish", to: 1 },
    ]);
    expect(standby.give({ kind: "followed", commits: others })).toEqual([
      { kind: "publish", to: 2 },
    ]);
    expect(standby.knows("a")).toBe(true);
  });

  test("answers no command and no look-up, whatever it has followed [EP6]", () => {
    const standby = new Plane("plane-2");
    standby.give({ kind: "followed", commits: aLeader().log });
    for (const effects of [standby.put("b", 1), standby.lookup("a"), standby.lookup("nobody")]) {
      expect(replies(effects)).toEqual([UNAVAILABLE]);
      expect(written(effects)).toEqual([]);
    }
    expect(standby.authority.ledger.revision).toBe(2);
  });

  test("begins again with a snapshot, whatever it had followed before [EP6]", () => {
    const { leader, log } = aLeader();
    const standby = new Plane("plane-2");
    standby.give({ kind: "followed", commits: log.slice(0, 1) });
    const snapshot = takeSnapshot(leader.authority.ledger);
    const next = written(leader.put("b", 1));
    expect(standby.give({ kind: "followed", snapshot, commits: next })).toEqual([
      { kind: "publish", to: 3 },
    ]);
    expect([standby.knows("a"), standby.knows("b")]).toEqual([true, true]);
  });

  test("a gap in what it is told stops it rather than passing unseen [EP6]", () => {
    const standby = new Plane("plane-2");
    const commits = aLeader().log.slice(1);
    expect(() => standby.give({ kind: "followed", commits })).toThrow(InvariantBroken);
  });
});

describe("taking over", () => {
  test("begins at the end of the log under the new epoch, knowing what was answered before [EP8]", () => {
    const standby = new Plane("plane-2");
    standby.give({ kind: "followed", commits: aLeader().log });
    const effects = standby.give({ kind: "took-over", epoch: 2, end: 2 });
    expect(effects).toMatchObject([
      { kind: "publish", to: 2 },
      { kind: "append", epoch: 2, commits: [{ revision: 3, epoch: 2, command: "lead" }] },
    ]);
    standby.give({ kind: "appended", result: "durable", epoch: 2 });
    expect(replies(standby.lookup("a"))).toMatchObject([{ kind: "found", first: { revision: 2 } }]);
  });

  test("is refused before the end of the log was followed [EP8]", () => {
    const standby = new Plane("plane-2");
    standby.give({ kind: "followed", commits: aLeader().log.slice(0, 1) });
    expect(() => standby.give({ kind: "took-over", epoch: 2, end: 2 })).toThrow(InvariantBroken);
  });

  test("is refused to who has led and has not followed the log anew [EP8]", () => {
    const { leader } = aLeader();
    leader.give({ kind: "lapsed" });
    expect(() => leader.give({ kind: "took-over", epoch: 2, end: 2 })).toThrow(InvariantBroken);
  });

  test.each([
    { title: "with its log read from the beginning [EP8]", bySnapshot: false },
    { title: "with a snapshot [EP8]", bySnapshot: true },
  ])("forgets what was checked and never landed, $title", ({ bySnapshot }) => {
    const { leader, log } = aLeader();
    const snapshot = takeSnapshot(leader.authority.ledger);
    leader.put("lost", 1);
    leader.give({ kind: "lapsed" });
    leader.give({
      kind: "followed",
      ...(bySnapshot ? { snapshot, commits: [] } : { commits: log }),
    });
    expect([leader.knows("a"), leader.knows("lost")]).toEqual([true, false]);
    const effects = leader.give({ kind: "took-over", epoch: 2, end: 2 });
    expect(written(effects)).toMatchObject([{ revision: 3, epoch: 2 }]);
    leader.give({ kind: "appended", result: "durable", epoch: 2 });
    expect(replies(leader.lookup("lost"))).toEqual([{ kind: "not-found", epoch: 2 }]);
  });
});

describe("a leader whose lease may have ended", () => {
  test("asks for the log again, and answers and appends nothing until it leads [EP7]", () => {
    const { leader, log } = aLeader();
    leader.put("b", 1);
    expect(leader.put("c", 1)).toEqual([]);
    expect(leader.give({ kind: "lapsed" })).toEqual([{ kind: "claim" }]);
    expect(leader.authority.isLeading).toBe(false);
    for (const effects of [leader.put("d", 1), leader.lookup("a")]) {
      expect(replies(effects)).toEqual([UNAVAILABLE]);
    }
    // It may well have landed: nobody may be told so before the log says it.
    expect(leader.give({ kind: "appended", result: "durable", epoch: 1 })).toEqual([]);
    leader.give({ kind: "followed", commits: log });
    expect(replies(leader.give({ kind: "took-over", epoch: 2, end: 2 }))).toEqual([]);
    expect(leader.authority.isLeading).toBe(true);
  });

  test("is told only once; who does not lead has nothing to lose [EP7]", () => {
    const { leader } = aLeader();
    leader.give({ kind: "lapsed" });
    expect(leader.give({ kind: "lapsed" })).toEqual([]);
    expect(new Plane("plane-2").give({ kind: "lapsed" })).toEqual([]);
  });

  test.each(["durable", "fenced", "unknown"] as const)(
    "the answer to an append of its earlier leadership, %s, counts for nothing in the next [EP9]",
    (result) => {
      const { leader, log } = aLeader();
      leader.put("b", 1);
      leader.give({ kind: "lapsed" });
      leader.give({ kind: "followed", commits: log });
      leader.give({ kind: "took-over", epoch: 2, end: 2 });
      leader.put("c", 2);
      expect(leader.give({ kind: "appended", result, epoch: 1 })).toEqual([]);
      expect(leader.authority.isLeading).toBe(true);
      const effects = leader.give({ kind: "appended", result: "durable", epoch: 2 });
      expect(written(effects)).toMatchObject([{ operation: "put-c" }]);
    },
  );
});

test("a standby can be put together from a ledger that was followed [EP6]", () => {
  const { leader, log } = aLeader();
  const { ledger } = leader.authority;
  const standby = Authority.following({ name: "plane-2", ledger });
  expect(standby.isLeading).toBe(false);
  const effects = standby.receive({ kind: "took-over", epoch: 2, end: log.length }, aTurn(0));
  expect(written(effects)).toMatchObject([{ revision: 3, epoch: 2 }]);
});
