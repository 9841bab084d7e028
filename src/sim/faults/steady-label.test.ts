import { expect, test } from "vitest";
import { steadyLabel } from "./steady-label.ts";

test.each([
  ["bind/Replica/t1/w1.1.0/u24/1", "bind/Replica/t1/w1.1.0/*/1"],
  ["report/Replica/t1/w1.1.0/u24/1/ready@157", "report/Replica/t1/w1.1.0/*/1/ready@*"],
  ["delete/Replica/t1/w1.1.0/u24", "delete/Replica/t1/w1.1.0/*"],
  ["lease/n1/1.57", "lease/n1/1.57"],
  ["bind/Replica/t1/w1.1.3/u24.3/1", "bind/Replica/t1/w1.1.3/*/1"],
  ["reclaim/Reservation/t1/w1.1.3.1/u24.w1.1.3.1", "reclaim/Reservation/t1/w1.1.3.1/*"],
  ["enqueue/Workload/t1/w1/u9/1/0-3.1,5.2", "enqueue/Workload/t1/w1/*/1/0-3.1,5.2"],
  ["bind-all/Workload/t1/w1/u9/1/u24.0/0-3.1", "bind-all/Workload/t1/w1/*/1/*/0-3.1"],
  ["admit/Workload/u1/u2/u3/1/0/1", "admit/Workload/*/*/*/1/0/1"],
])("a label keeps what names the intent and drops what counts revisions: %s", (full, steady) => {
  expect(steadyLabel(full)).toBe(steady);
  expect(steadyLabel(steady)).toBe(steady);
});
