import { expect, test } from "vitest";
import { rfc3339, rfc3339Millis } from "./rfc3339.ts";

test("times are whole seconds for Kubernetes and milliseconds for Berth's own fields", () => {
  const ms = Date.UTC(2024, 1, 29, 12, 0, 0, 999);
  expect(rfc3339(ms)).toBe("2024-02-29T12:00:00Z");
  expect(rfc3339Millis(ms)).toBe("2024-02-29T12:00:00.999Z");
});

test("a time beyond year 9999 is shown as its last moment instead of failing", () => {
  expect(rfc3339(Number.MAX_SAFE_INTEGER)).toBe("9999-12-31T23:59:59Z");
  expect(rfc3339Millis(Number.POSITIVE_INFINITY)).toBe("9999-12-31T23:59:59.999Z");
});
