import { describe, expect, test } from "vitest";
import { isPassingStatus, retryAfterMs, retryPauseMs } from "./retry-pause.ts";

describe("the pause before a request is sent again", () => {
  test("doubles with every failure up to five seconds, and is between half and all of that [HC1]", () => {
    const rows = [0, 1, 4, 5, 50].map((failures) => [
      retryPauseMs(failures, 0, () => 0),
      retryPauseMs(failures, 0, () => 1),
    ]);
    expect(rows).toEqual([
      [125, 250],
      [250, 500],
      [2_000, 4_000],
      [2_500, 5_000],
      [2_500, 5_000],
    ]);
  });

  test("is never shorter than the server has asked for, and spread beyond it [HC1]", () => {
    expect(retryPauseMs(0, 1_000, () => 0)).toBe(1_000);
    expect(retryPauseMs(0, 1_000, () => 1)).toBe(1_250);
    expect(retryPauseMs(9, 1_000, () => 1)).toBe(6_000);
  });
});

test.each([
  { header: undefined, ms: 0 },
  { header: "", ms: 0 },
  { header: "2", ms: 2_000 },
  { header: "-1", ms: 0 },
  { header: "86400", ms: 30_000 },
  { header: "soon", ms: 0 },
  { header: "Thu, 01 Jan 1970 00:00:07 GMT", ms: 2_000 },
  { header: "Thu, 01 Jan 1970 00:00:01 GMT", ms: 0 },
])("Retry-After: $header is $ms ms [HC1]", ({ header, ms }) => {
  expect(retryAfterMs(header, 5_000)).toBe(ms);
});

test("only what says that it passes is worth another try [HC1]", () => {
  const worth = [200, 400, 401, 404, 409, 429, 500, 502, 503, 504].filter(isPassingStatus);
  expect(worth).toEqual([429, 502, 503, 504]);
});
