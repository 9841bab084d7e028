import fc from "fast-check";
import { test } from "vitest";
import { runs, SEED, walks } from "./runs.ts";
import { SideBySide } from "./side-by-side.ts";
import { binds } from "./proposals.ts";
import { Picks } from "./picks.ts";
import { predict } from "./naive-model.ts";
import { every } from "./model-state.ts";
test("dbg", () => {
  const count: Record<string, number> = {};
  const stages: Record<string, number> = {};
  const health: Record<string, number> = {};
  for (const walk of fc.sample(walks({ most: 100 }), { seed: SEED, numRuns: 100 })) {
    SideBySide.walk(walk, (pair) => {
      for (const r of every(pair.state, "Replica")) stages[r.stage] = (stages[r.stage] ?? 0) + 1;
      for (const r of every(pair.state, "Node")) { const h = r.health+r.spec.draining+r.spec.cordons.length; health[h] = (health[h] ?? 0) + 1;}
      for (const b of binds(pair.state, new Picks([0]))) {
        const r = every(pair.state, "Replica").find((x) => x.key === (b.intent as any).replica)!;
        if (r.stage !== "queued") continue;
        const p = predict(pair.state, { intent: b.intent, epoch: pair.state.epoch, basis: 0, actor: { role: b.role, name: "" } });
        const l = p.kind === "no" ? [...p.codes].sort().join(",") : p.kind;
        count[l] = (count[l] ?? 0) + 1;
      }
    });
  }
  console.log(stages, health, Object.entries(count).sort((a, b) => b[1] - a[1]).slice(0, 20));
});
