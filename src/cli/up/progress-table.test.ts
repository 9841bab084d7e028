import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { ShownObject } from "../../steering/api-object.ts";
import { terminalText } from "../text/terminal-text.ts";
import { progressTableOf } from "./progress-table.ts";
import { progressLines, ProgressView } from "./show-progress.ts";

const workload = (name: string, replicas: number): ShownObject => ({
  metadata: { name, namespace: "shop" },
  spec: { replicas },
});

const replica = (index: number, stage: string, node?: string): ShownObject => ({
  metadata: { name: `api.1.${index}`, namespace: "shop" },
  spec: { workload: "api", index },
  status: { stage, ...(node === undefined ? {} : { node }) },
});

const node = (health: string): ShownObject => ({ metadata: { name: "n" }, status: { health } });

const seen = {
  workloads: [workload("worker", 1), workload("api", 4)],
  replicas: [
    replica(3, "queued"),
    replica(2, "bound", "n2"),
    replica(1, "serving", "n1"),
    replica(0, "serving", "n1"),
    replica(4, "released"),
  ],
  nodes: [node("ready"), node("suspect"), node("ready")],
};

describe("progressTableOf()", () => {
  it("counts stages in the order in which replicas go through them", () => {
    expect(progressTableOf(seen)).toEqual({
      rows: [
        {
          workload: "shop/api",
          stages: "queued 1 · bound 1 · serving 2",
          share: 0.5,
          wanted: 4,
          nodes: ["n1", "n1", "n2"],
        },
        { workload: "shop/worker", stages: "nothing yet", share: 0, wanted: 1, nodes: [] },
      ],
      nodes: "2 ready, 1 suspect",
    });
  });

  it("does not take the replicas of another tenant's workload of that name for its own", () => {
    const other = { ...replica(0, "serving"), metadata: { name: "api.1.0", namespace: "bank" } };
    expect(progressTableOf({ ...seen, replicas: [other] }).rows[0]).toMatchObject({ share: 0 });
  });
});

function aScreen(isTerminal: boolean) {
  const screen = {
    isTerminal,
    written: [] as string[],
    width: () => 40,
    write: (text: string) => void screen.written.push(terminalText(text, true)),
  };
  return screen;
}

describe("ProgressView", () => {
  it("writes one line for every change where there is no terminal", () => {
    const screen = aScreen(false);
    const view = new ProgressView(screen);
    view.show(progressTableOf(seen));
    view.show(progressTableOf(seen));
    view.show(progressTableOf({ ...seen, replicas: [], workloads: [workload("api", 4)] }));
    expect(screen.written).toEqual([
      "shop/api: queued 1 · bound 1 · serving 2 of 4 on n1, n1, n2\n",
      "shop/worker: nothing yet of 1\n",
      "nodes: 2 ready, 1 suspect\n",
      "shop/worker: gone\n",
      "shop/api: nothing yet of 4\n",
    ]);
  });

  it("draws the table again in its place, and news above it", () => {
    const screen = aScreen(true);
    const view = new ProgressView(screen);
    view.show(progressTableOf(seen));
    view.news("the plane ended");
    expect(screen.written[1]).toBe("\u001B[4A\r\u001B[J");
    expect(screen.written[2]).toBe("the plane ended\n");
    expect(screen.written[3]).toBe(screen.written[0]);
  });

  it("never lets a line wrap", () => {
    for (const line of progressLines(progressTableOf(seen), 40)) {
      expect(stripVTControlCharacters(terminalText(line, true)).length).toBeLessThan(40);
    }
  });
});
