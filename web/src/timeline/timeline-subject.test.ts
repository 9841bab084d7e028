import { expect, test } from "vitest";
import {
  explainCommand,
  explainPath,
  readSubject,
  subjectOfWait,
  timelineOf,
  waitedForOf,
  watchedBy,
} from "./timeline-subject.ts";

const NOW = { moment: { revision: "", at: "" }, whyNot: "", whatIf: false };

test("an address names a replica, a workload, a node or a decision, and nothing else", () => {
  expect(readSubject(["replica", "payments", "api.1.0"])).toEqual({
    kind: "replica",
    tenant: "payments",
    name: "api.1.0",
  });
  expect(readSubject(["node", "n1"])).toEqual({ kind: "node", name: "n1" });
  expect(readSubject(["node", "", "n1"])).toEqual({ kind: "node", name: "n1" });
  expect(readSubject(["decision", "bind", "Replica", "payments"])?.name).toBe(
    "bind/Replica/payments",
  );
  for (const rest of [[], ["replica"], ["replica", "payments"], ["quota", "a", "b"], ["node"]]) {
    expect(readSubject(rest)).toBeUndefined();
  }
});

test("a key of the log leads to the timeline of what it names, if there is one", () => {
  expect(timelineOf("Replica/payments/api.1.0")).toBe("/ui/timeline/replica/payments/api.1.0");
  expect(timelineOf("Node//n1")).toBe("/ui/timeline/node/n1");
  expect(timelineOf("Quota/payments/default")).toBeUndefined();
});

test("the past, a node and changes are asked for only where they mean something", () => {
  const replica = { kind: "replica", tenant: "a", name: "b.1.0" } as const;
  const asked = { moment: { revision: "7", at: "10m" }, whyNot: "n1", whatIf: true };
  expect(explainPath(replica, asked)).toBe(
    "/explain?kind=replica&name=b.1.0&namespace=a&revision=7&whyNot=n1&whatIf=true",
  );
  expect(explainPath({ kind: "node", name: "n1" }, asked)).toBe(
    "/explain?kind=node&name=n1&revision=7",
  );
  expect(explainCommand(replica, NOW)).toBe("berth explain replica b.1.0 -n a");
});

test("what can change is watched", () => {
  expect(watchedBy({ kind: "workload", tenant: "a", name: "b" })).toEqual({
    path: "/apis/berth.dev/v1/namespaces/a/workloads",
    fieldSelector: "metadata.name=b",
  });
  expect(watchedBy({ kind: "decision", name: "12" })).toBeUndefined();
});

test("a wait is told apart by what it is about, also for the workload of a replica", () => {
  expect(subjectOfWait("place-1 Workload/payments/api")).toBe("workload/payments/api");
  expect(subjectOfWait("node-health Node//n1")).toBe("node/n1");
  expect(waitedForOf({ kind: "replica", tenant: "payments", name: "api.2.10" })).toEqual([
    "replica/payments/api.2.10",
    "workload/payments/api",
  ]);
  expect(waitedForOf({ kind: "node", name: "n1" })).toEqual(["node/n1"]);
});
