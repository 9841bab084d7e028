/** The calendar of core against the one that the machine has. */
import { expect, test } from "vitest";
import { utcText } from "./utc-text.ts";

test("utcText() says what the machine's own calendar says, over leap days and ends of years", () => {
  const day = 86_400_000;
  for (let at = 0; at < 60_000; at += 1) {
    const ms = at * day + ((at * 7_919_000) % day);
    expect(utcText(ms)).toBe(`${new Date(ms).toISOString().slice(0, 19)}Z`);
  }
});
