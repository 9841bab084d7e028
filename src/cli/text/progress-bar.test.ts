import { describe, expect, it } from "vitest";
import { ProgressBar } from "./progress-bar.ts";
import { terminalText } from "./terminal-text.ts";

function aTarget(isTerminal: boolean) {
  const target = {
    isTerminal,
    nowMs: 0,
    written: [] as string[],
    write: (text: string) => void target.written.push(terminalText(text, true)),
    now: () => target.nowMs,
  };
  return target;
}

describe("ProgressBar", () => {
  it("shows how much is done and how long the rest will take", () => {
    const target = aTarget(true);
    const bar = new ProgressBar(target);
    target.nowMs = 10_000;
    bar.show(25, 100, "seeds");
    expect(target.written).toEqual([
      `\r\u001B[2K${"█".repeat(6)}${"░".repeat(18)} 25/100 seeds, 30s left`,
    ]);
  });

  it("draws at most ten times a second, and always the end", () => {
    const target = aTarget(true);
    const bar = new ProgressBar(target);
    for (let done = 0; done < 100; done++) {
      target.nowMs += 1;
      bar.show(done, 100, "seeds");
    }
    bar.show(100, 100, "seeds");
    expect(target.written).toHaveLength(2);
    expect(target.written[1]).toContain("100/100 seeds");
  });

  it("writes nothing where there is no terminal", () => {
    const target = aTarget(false);
    const bar = new ProgressBar(target);
    bar.show(1, 2, "seeds");
    bar.clear();
    expect(target.written).toEqual([]);
  });
});
