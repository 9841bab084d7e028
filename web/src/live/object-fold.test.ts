import { expect, test } from "vitest";
import { ApiFailure } from "./api-failure.ts";
import { ObjectFold } from "./object-fold.ts";
import type { LiveObject } from "./object-message.ts";

const anObject = (name: string, resourceVersion: string): LiveObject => ({
  metadata: { name, namespace: "payments", resourceVersion },
});

function aFold() {
  let rows = new Map<string, LiveObject>();
  const fold = new ObjectFold<LiveObject>({
    put: (key, row) => void rows.set(key, row),
    drop: (key) => void rows.delete(key),
    replaceAll: (all) => {
      rows = all;
    },
  });
  return { fold, shown: () => [...rows.keys()] };
}

test("pages of a list are shown together, and the watch goes on from the list's revision", () => {
  const { fold, shown } = aFold();
  const page = {
    items: [anObject("a", "3")],
    metadata: { resourceVersion: "9", continue: "next" },
  };
  expect(fold.takePage(page)).toBe("next");
  expect([fold.resourceVersion, shown()]).toEqual([undefined, []]);
  const last = { items: [anObject("b", "4")], metadata: { resourceVersion: "9" } };
  expect(fold.takePage(last)).toBeUndefined();
  expect([fold.resourceVersion, shown()]).toEqual(["9", ["payments/a", "payments/b"]]);
});

test("events change what is shown, and each says from where to go on", () => {
  const { fold, shown } = aFold();
  fold.takePage({ items: [anObject("a", "3")], metadata: { resourceVersion: "9" } });
  fold.takeEvent({ type: "ADDED", object: anObject("b", "10") });
  fold.takeEvent({ type: "DELETED", object: anObject("a", "11") });
  expect([fold.resourceVersion, shown()]).toEqual(["11", ["payments/b"]]);
  fold.takeEvent({ type: "BOOKMARK", object: { metadata: { name: "", resourceVersion: "20" } } });
  expect([fold.resourceVersion, shown()]).toEqual(["20", ["payments/b"]]);
});

test("an error of the watch is thrown in the server's words, and what is shown stays", () => {
  const { fold, shown } = aFold();
  fold.takePage({ items: [anObject("a", "3")], metadata: { resourceVersion: "9" } });
  const status = { kind: "Status", code: 410, reason: "Expired", message: "list again" };
  expect(() => fold.takeEvent({ type: "ERROR", object: status })).toThrow(
    new ApiFailure(410, status),
  );
  fold.beginAnew();
  expect([fold.resourceVersion, shown()]).toEqual([undefined, ["payments/a"]]);
});
