import { describe, expect, it } from "vitest";
import { firstSentAfter, longestSilence, type Write } from "./write.ts";

const write = (number: number, sentMs: number, ackedMs: number): Write => ({
  number,
  plane: 0,
  sentMs,
  ackedMs,
});

describe("firstSentAfter", () => {
  it("passes over writes that were sent before and acknowledged after", () => {
    const writes = [write(1, 90, 110), write(2, 95, 300), write(4, 150, 310), write(3, 120, 320)];
    expect(firstSentAfter(writes, 100)?.number).toBe(4);
  });

  it("finds none while nothing sent later was acknowledged", () => {
    expect(firstSentAfter([write(1, 90, 110)], 100)).toBeUndefined();
  });
});

describe("longestSilence", () => {
  it("counts from the last acknowledgement before the moment", () => {
    const writes = [write(1, 0, 40), write(2, 10, 90), write(3, 60, 300), write(4, 70, 350)];
    expect(longestSilence(writes, 100)).toBe(210);
  });

  it("counts from the moment itself when nothing was acknowledged before", () => {
    expect(longestSilence([write(1, 0, 130), write(2, 0, 150)], 100)).toBe(30);
  });

  it("knows of a silence that begins later", () => {
    const writes = [write(1, 0, 99), write(2, 0, 101), write(3, 0, 401), write(4, 0, 410)];
    expect(longestSilence(writes, 100)).toBe(300);
  });

  it("leaves out silences that ended before", () => {
    const writes = [write(1, 0, 10), write(2, 0, 95), write(3, 0, 105)];
    expect(longestSilence(writes, 100)).toBe(10);
  });
});
