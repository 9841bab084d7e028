/** Runs processes under an agent that is then killed without warning, as the kernel would. */
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StartOrder } from "../../src/agent/process/order-process.ts";
import type { DriverName } from "../../src/core/model/node/driver-name.ts";
import { eventually } from "./a-driver.ts";
import type { DriverProcessOrders } from "./driver-process.ts";

const SCRIPT = fileURLToPath(new URL("driver-process.ts", import.meta.url));

/** Returns the folder, once the processes were alive and their agent was dead. */
export async function killedAgent(of: {
  readonly leashMs: number;
  readonly start: readonly StartOrder[];
  readonly wrote?: string;
  readonly driver?: DriverName;
  readonly images?: string;
}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "berth-agent-"));
  chmodSync(folder, 0o711);
  const orders: DriverProcessOrders = { folder, ...of };
  const agent = spawn(process.execPath, ["--import", "tsx", SCRIPT, JSON.stringify(orders)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  agent.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const exit = once(agent, "exit");
  await eventually("the agent's processes to be alive", () => {
    if (agent.exitCode !== null) throw new Error("The agent ended by itself.");
    return said.split("alive").length - 1 === of.start.length;
  });
  agent.kill("SIGKILL");
  await exit;
  return folder;
}
