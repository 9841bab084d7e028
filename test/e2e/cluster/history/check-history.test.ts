/** The checker itself: what is right passes, and every kind of wrong is found. A checker that cannot fail is worth nothing. */
import { describe, expect, it } from "vitest";
import { AHistory, gone, ok, put, shown } from "./a-history.ts";
import type { Answer } from "./call.ts";
import { checkHistory } from "./check-history.ts";
import { type Finding, FINDINGS } from "./finding.ts";

const ABSENT: Answer = { kind: "absent" };
const CONFLICT: Answer = { kind: "conflict" };
const EXISTS: Answer = { kind: "exists" };
const REFUSED: Answer = { kind: "refused", why: "nobody leads" };
const UNKNOWN: Answer = { kind: "unknown", why: "no answer" };
const deleted = (uid = "u1"): Answer => ({ kind: "deleted", uid });
const listed = (revision: number, ...objects: readonly ReturnType<typeof shown>[]): Answer => ({
  kind: "listed",
  revision,
  objects,
});

const kindsOf = (findings: readonly Finding[]): readonly string[] => [
  ...new Set(findings.map(({ kind }) => kind)),
];

describe("checkHistory() finds nothing wrong with", () => {
  it.each<[string, AHistory]>([
    [
      "a register that is created, replaced, read, listed, deleted and created again",
      AHistory.of(put("a", 2), put("b", 3), put("c", 5), gone(6), put("d", 8, { uid: "u2" }))
        .get(ABSENT)
        .create("a", ok("a", 2))
        .create("z", EXISTS)
        .replace("b", ok("b", 3))
        .get(ok("b", 3))
        .compareAndSet("c", 3, ok("c", 5))
        .compareAndSet("y", 3, CONFLICT)
        .call({ op: "list" }, listed(5, shown("c", 5)))
        .delete(deleted())
        .get(ABSENT)
        .delete(ABSENT)
        .call({ op: "list" }, listed(7))
        .create("d", ok("d", 8, { uid: "u2" }))
        .watch("one", {
          from: 0,
          upTo: 9,
          lines: [put("a", 2), put("b", 3), put("c", 5), gone(6), put("d", 8)],
        })
        .watch(
          "two",
          { from: 2, upTo: 3, lines: [put("b", 3)] },
          { from: 3, upTo: 9, lines: [put("c", 5), gone(6), put("d", 8)] },
        ),
    ],
    [
      "writes whose outcome nobody knows, whether they took effect, took it later or not at all",
      AHistory.of(put("a", 2), put("c", 3), put("b", 4))
        .create("a", UNKNOWN)
        .replace("b", UNKNOWN)
        .replace("never", UNKNOWN)
        .replace("c", ok("c", 3))
        .get(ok("c", 3))
        .get(ok("b", 4)),
    ],
    [
      "calls at the same time that are answered in either order",
      AHistory.of(put("a", 2), put("b", 3))
        .create("a", ok("a", 2))
        .replace("b", ok("b", 3), { invokedMs: 20, returnedMs: 60 })
        .get(ok("a", 2), { invokedMs: 25, returnedMs: 50, client: "c2" })
        .get(ok("b", 3), { invokedMs: 26, returnedMs: 55, client: "c3" }),
    ],
    [
      "a read of not before a revision that is older than now",
      AHistory.of(put("a", 2), put("b", 3))
        .create("a", ok("a", 2))
        .replace("b", ok("b", 3))
        .call({ op: "get", key: "k", notBefore: 2 }, ok("a", 2)),
    ],
    [
      "a request that is sent again and answered as before",
      AHistory.of(put("a", 2), gone(3))
        .create("a", ok("a", 2), { again: ok("a", 2) })
        .delete(deleted(), { again: deleted() }),
    ],
    [
      "a deletion of unknown outcome that took effect",
      AHistory.of(put("a", 2), gone(3)).create("a", ok("a", 2)).delete(UNKNOWN).get(ABSENT),
    ],
  ])("%s", (_, history) => expect(checkHistory(history)).toEqual([]));
});

type Wrong = [kind: Finding["kind"], what: string, history: AHistory];

const WRONG: readonly Wrong[] = [
  [
    "lost-write",
    "an acknowledged write that is not in the log",
    AHistory.of(put("a", 2)).create("a", ok("a", 2)).replace("b", ok("b", 3)),
  ],
  [
    "lost-write",
    "an acknowledged write that somebody was shown and that is not in the log",
    AHistory.of(put("a", 2)).create("a", ok("a", 2)).replace("b", ok("b", 3)).get(ok("b", 3)),
  ],
  [
    "lost-write",
    "an acknowledged write that is at another revision than was said",
    AHistory.of(put("a", 4)).create("a", ok("a", 2)),
  ],
  [
    "lost-write",
    "an acknowledged deletion that is not in the log",
    AHistory.of(put("a", 2)).create("a", ok("a", 2)).delete(deleted()),
  ],
  [
    "stale-read",
    "a read of what another client had overwritten before",
    AHistory.of(put("a", 2), put("b", 3))
      .create("a", ok("a", 2))
      .replace("b", ok("b", 3))
      .get(ok("a", 2), { client: "c2" }),
  ],
  [
    "stale-read",
    "a read of nothing after a creation",
    AHistory.of(put("a", 2)).create("a", ok("a", 2)).get(ABSENT, { client: "c2" }),
  ],
  [
    "stale-read",
    "a read of what was deleted before",
    AHistory.of(put("a", 2), gone(3))
      .create("a", ok("a", 2))
      .delete(deleted())
      .get(ok("a", 2), { client: "c2" }),
  ],
  [
    "stale-read",
    "a read that leaves out what was written to another key",
    AHistory.of(put("a", 2), put("x", 3, { key: "l" }), put("b", 4))
      .create("a", ok("a", 2))
      .replace("b", ok("b", 4))
      .call({ op: "create", key: "l", value: "x" }, ok("x", 3, { key: "l" }), {
        invokedMs: 1,
        returnedMs: 30,
      })
      .call({ op: "get", key: "l" }, ABSENT, { client: "c2", invokedMs: 40, returnedMs: 41 }),
  ],
  [
    "stale-read",
    "a list that is older than a write before it",
    AHistory.of(put("a", 2), put("b", 3))
      .create("a", ok("a", 2))
      .replace("b", ok("b", 3))
      .call({ op: "list" }, listed(2, shown("a", 2)), { client: "c2" }),
  ],
  [
    "stale-read",
    "a read that leaves out what another client was shown before",
    AHistory.of(put("a", 2), put("b", 3))
      .create("a", ok("a", 2))
      .replace("b", UNKNOWN)
      .get(ok("b", 3), { client: "c2" })
      .get(ok("a", 2), { client: "c3" }),
  ],
  [
    "went-back",
    "a client that is shown what it has seen overwritten",
    AHistory.of(put("a", 2), put("b", 3))
      .create("a", ok("a", 2))
      .replace("b", UNKNOWN)
      .get(ok("b", 3), { client: "c2" })
      .get(ok("a", 2), { client: "c2" }),
  ],
  [
    "went-back",
    "a read of not before a revision that is older than it",
    AHistory.of(put("a", 2), put("b", 3))
      .create("a", ok("a", 2))
      .replace("b", ok("b", 3))
      .call({ op: "get", key: "k", notBefore: 3 }, ok("a", 2)),
  ],
  [
    "out-of-order",
    "a write that took effect before one that was over when it began",
    AHistory.of(put("a", 2), put("c", 3), put("b", 4))
      .create("a", ok("a", 2))
      .replace("b", ok("b", 4))
      .replace("c", ok("c", 3)),
  ],
  [
    "out-of-order",
    "a write that was refused because of nothing, after it was there",
    AHistory.of(put("a", 2)).create("a", ok("a", 2)).replace("b", ABSENT),
  ],
  [
    "out-of-order",
    "a compare-and-set that lost against nobody",
    AHistory.of(put("a", 2)).create("a", ok("a", 2)).compareAndSet("b", 2, CONFLICT),
  ],
  [
    "out-of-order",
    "a compare-and-set that lost against somebody who had not asked yet",
    AHistory.of(put("a", 2), put("c", 3))
      .create("a", ok("a", 2))
      .compareAndSet("b", 2, CONFLICT)
      .replace("c", ok("c", 3)),
  ],
  [
    "two-values",
    "one revision that was shown with two values",
    AHistory.of(put("a", 2)).create("a", ok("a", 2)).replace("b", UNKNOWN).get(ok("b", 2)),
  ],
  [
    "duplicate-effect",
    "one request that took effect twice",
    AHistory.of(put("a", 2), put("b", 3), put("a", 4))
      .create("a", ok("a", 2))
      .replace("b", ok("b", 3)),
  ],
  [
    "duplicate-effect",
    "a deletion that also ended the next incarnation",
    AHistory.of(put("a", 2), gone(3), put("b", 4, { uid: "u2" }), gone(5, { uid: "u2" }))
      .create("a", ok("a", 2))
      .delete(deleted())
      .create("b", ok("b", 4, { uid: "u2" })),
  ],
  [
    "lost-update",
    "a compare-and-set over a version that it had not expected",
    AHistory.of(put("a", 2), put("b", 3), put("c", 4))
      .create("a", ok("a", 2))
      .replace("b", ok("b", 3), { invokedMs: 10, returnedMs: 40 })
      .compareAndSet("c", 2, ok("c", 4), { client: "c2" }),
  ],
  [
    "lost-update",
    "two deletions that both ended one incarnation",
    AHistory.of(put("a", 2), gone(3))
      .create("a", ok("a", 2))
      .delete(deleted(), { returnedMs: 90 })
      .delete(deleted(), { returnedMs: 95, client: "c2" }),
  ],
  [
    "wrong-effect",
    "a creation of what was there",
    AHistory.of(put("a", 2), put("b", 3)).create("a", ok("a", 2)).create("b", ok("b", 3)),
  ],
  ["wrong-effect", "a replacement of nothing", AHistory.of(put("a", 2)).replace("a", ok("a", 2))],
  [
    "refused-took-effect",
    "a write that was refused and took effect",
    AHistory.of(put("a", 2)).create("a", REFUSED).get(ok("a", 2)),
  ],
  [
    "refused-took-effect",
    "a compare-and-set that was told of a conflict and took effect",
    AHistory.of(put("a", 2), put("b", 3)).create("a", ok("a", 2)).compareAndSet("b", 2, CONFLICT),
  ],
  ["unexplained", "a value that nobody wrote", AHistory.of(put("a", 2))],
  [
    "unexplained",
    "a value that is read before it is written",
    AHistory.of(put("a", 2)).get(ok("a", 2)).create("a", ok("a", 2)),
  ],
  [
    "unexplained",
    "a value that was shown and is not in the log",
    AHistory.of().create("a", UNKNOWN).get(ok("a", 2)),
  ],
  [
    "repeat-differs",
    "a request that is told of a conflict when it is sent again",
    AHistory.of(put("a", 2), put("b", 3))
      .create("a", ok("a", 2))
      .compareAndSet("b", 2, ok("b", 3), { again: CONFLICT }),
  ],
  [
    "torn-list",
    "a list with two objects that were never there together",
    AHistory.of(put("a", 2), put("x", 3, { key: "l" }), put("b", 4))
      .create("a", ok("a", 2))
      .call({ op: "create", key: "l", value: "x" }, ok("x", 3, { key: "l" }))
      .replace("b", ok("b", 4))
      .call({ op: "list" }, listed(4, shown("a", 2), shown("x", 3, { key: "l" }))),
  ],
  [
    "torn-list",
    "a list that leaves an object out",
    AHistory.of(put("a", 2)).create("a", ok("a", 2)).call({ op: "list" }, listed(2)),
  ],
  [
    "watch-gap",
    "a watch that leaves a change out over a change of connections",
    AHistory.of(put("a", 2), put("b", 3), put("c", 4))
      .create("a", ok("a", 2))
      .replace("b", ok("b", 3))
      .replace("c", ok("c", 4))
      .watch(
        "one",
        { from: 0, upTo: 2, lines: [put("a", 2)] },
        { from: 2, upTo: 4, lines: [put("c", 4)] },
      ),
  ],
  [
    "watch-gap",
    "a watch that leaves the last change out before a bookmark",
    AHistory.of(put("a", 2)).create("a", ok("a", 2)).watch("one", { from: 0, upTo: 2, lines: [] }),
  ],
  [
    "watch-order",
    "a watch that tells changes in another order",
    AHistory.of(put("a", 2), put("b", 3))
      .create("a", ok("a", 2))
      .replace("b", ok("b", 3))
      .watch("one", { from: 0, upTo: 3, lines: [put("b", 3), put("a", 2)] }),
  ],
  [
    "watch-twice",
    "a watch that tells a change again after it has connected anew",
    AHistory.of(put("a", 2))
      .create("a", ok("a", 2))
      .watch(
        "one",
        { from: 0, upTo: 2, lines: [put("a", 2)] },
        { from: 2, upTo: 2, lines: [put("a", 2)] },
      ),
  ],
  [
    "watch-phantom",
    "a watch that tells what is not in the log",
    AHistory.of(put("a", 2))
      .create("a", ok("a", 2))
      .replace("b", UNKNOWN)
      .watch("one", { from: 0, upTo: 3, lines: [put("a", 2), put("b", 3)] }),
  ],
  [
    "unwatched",
    "a write that lies behind what the log was watched for",
    AHistory.of()
      .create("a", ok("a", 200))
      .get(ok("a", 200))
      .watch("one", { from: 100, upTo: 200, lines: [put("a", 200)] }),
  ],
];

describe("checkHistory() finds", () => {
  it.each(WRONG)("%s: %s", (kind, _, history) =>
    expect(kindsOf(checkHistory(history))).toContain(kind),
  );

  it("every kind of wrong that there is", () => {
    expect(new Set(WRONG.map(([kind]) => kind))).toEqual(new Set(FINDINGS));
  });
});
