/** Prometheus's own check of what a plane exposes. */
import path from "node:path";
import { clientFolder } from "../../../scripts/client-tools.mjs";
import { type Outcomes, runChecks, type Stage } from "./capability.ts";
import { runProgram } from "./ran-program.ts";

export function runPromtool({ url, token }: Stage): Promise<Outcomes> {
  const program = path.join(clientFolder("prometheus"), "usr/bin/promtool");
  return runChecks({
    metrics: async () => {
      const answer = await fetch(`${url}/metrics`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const metrics = await runProgram(program, ["check", "metrics"], {
        input: await answer.text(),
      });
      if (metrics.code !== 0) throw new Error(`check metrics: ${metrics.err}${metrics.out}`);
    },
  });
}
