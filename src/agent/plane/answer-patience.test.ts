import { expect, test } from "vitest";
import { LEASE_MS, RENEW_EVERY_MS } from "../../core/model/timing.ts";
import { answerPatienceMs } from "./answer-patience.ts";

test.each([1, 2, 3, 4, 5])(
  "of %i planes all but one may hang, and a lease is renewed in time [HC4]",
  (planes) => {
    let nowMs = RENEW_EVERY_MS;
    // A renewal is due every second, so the first after a turn is at most that late.
    for (let hanging = 1; hanging < planes; hanging += 1) nowMs += answerPatienceMs(planes) + 1_000;
    expect(nowMs).toBeLessThan(LEASE_MS - 1_000);
    expect(answerPatienceMs(planes)).toBeGreaterThanOrEqual(1_000);
  },
);
