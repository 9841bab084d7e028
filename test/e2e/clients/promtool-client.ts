/** Prometheus's own check of what a plane exposes, and of the rules that Berth ships. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { clientFolder } from "../../../scripts/client-tools.mjs";
import { type Outcomes, runChecks, type Stage } from "./capability.ts";
import { runProgram } from "./ran-program.ts";

const RULES = fileURLToPath(new URL("../../../deploy/prometheus", import.meta.url));

export function runPromtool({ url, token }: Stage): Promise<Outcomes> {
  const program = path.join(clientFolder("prometheus"), "usr/bin/promtool");
  return runChecks({
    "metrics and rules": async () => {
      const answer = await fetch(`${url}/metrics`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const metrics = await runProgram(program, ["check", "metrics"], {
        input: await answer.text(),
      });
      if (metrics.code !== 0) throw new Error(`check metrics: ${metrics.err}${metrics.out}`);
      const files = existsSync(RULES)
        ? readdirSync(RULES).filter((name) => name.endsWith(".yaml"))
        : [];
      for (const file of files) {
        const rules = await runProgram(program, ["check", "rules", path.join(RULES, file)]);
        if (rules.code !== 0) throw new Error(`check rules ${file}: ${rules.err}${rules.out}`);
      }
    },
  });
}
