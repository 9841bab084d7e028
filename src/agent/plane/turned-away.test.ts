import { describe, expect, test } from "vitest";
import { answerText, TurnedAway } from "./turned-away.ts";

describe("a response that is not the expected one", () => {
  test.each([
    [
      { status: 401, text: '{"kind":"Status","message":"Authentication failed. Unknown token."}' },
      "HTTP 401: Authentication failed. Unknown token",
    ],
    [{ status: 502, text: "<html>Bad Gateway</html>\n" }, "HTTP 502: <html>Bad Gateway</html>"],
    [
      { status: 400, text: '{"kind":"Other","message":"no"}' },
      'HTTP 400: {"kind":"Other","message":"no"}',
    ],
    [{ status: 503, text: "" }, "HTTP 503"],
  ])("is told with its status and the server's own sentence: %j", (answer, said) => {
    expect(answerText(answer)).toBe(said);
    const turnedAway = new TurnedAway({ ...answer, retryAfterMs: 2_000 });
    expect(turnedAway).toMatchObject({ message: said, retryAfterMs: 2_000 });
  });

  test("is cut where it is long", () => {
    expect(answerText({ status: 500, text: "x".repeat(1_000) })).toHaveLength(310);
  });
});
