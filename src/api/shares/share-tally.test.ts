import { describe, expect, it } from "vitest";
import type { SeatAsk } from "./seat-ask.ts";
import { ShareTally } from "./share-tally.ts";

const ask = (payer: string): SeatAsk => ({
  level: "people",
  payer,
  caller: payer,
  tenant: "shop",
  seats: 1,
});

describe("ShareTally", () => {
  it("[FS7] tells of the last minute, and forgets what was before", () => {
    let nowMs = 0;
    const tally = new ShareTally(() => nowMs);
    for (const waitMs of [0.1, 3, 100]) tally.begun(ask("ana"), waitMs);
    tally.refused(ask("ana"), "payer");
    tally.moved(ask("ana"), 500);
    nowMs = 45_000;
    tally.begun(ask("ana"), 1);
    const [now] = [...tally.flowsNow()];
    expect(now).toMatchObject({ served: 4, refused: 1, bytes: 500, running: 4 });
    expect([now?.waits.quantileMs(0.5), now?.waits.quantileMs(0.99)]).toEqual([1, 128]);
    nowMs = 200_000;
    expect([...tally.flowsNow()][0]).toMatchObject({ served: 0, refused: 0, bytes: 0 });
    expect(tally.levels.people).toMatchObject({ served: 4, bytes: 500 });
  });

  it("[FS7] keeps the latest flows, however many names there are", () => {
    const tally = new ShareTally(() => 0);
    for (let at = 0; at < 2_000; at += 1) tally.begun(ask(`caller-${at}`), 0);
    const kept = [...tally.flowsNow()].map(({ payer }) => payer);
    expect(kept).toHaveLength(512);
    expect(kept.at(-1)).toBe("caller-1999");
  });
});
