/**
 * What replicas run under chaos: a program that says who it is and then, ten times a second, that it is alive. Its clock
 * is the kernel's monotonic one, which all processes of the machine share. Who it is comes from the agent's own
 * record of the process, which is on disk before the process is started.
 */
export const REPLICA_PROGRAM = `
const { appendFileSync, readFileSync } = require("node:fs");
const { BERTH_NODE, BERTH_DEVICES, INCARNATIONS, PORT_HTTP, WORK_MS } = process.env;
const { replica, uid, incarnation } = JSON.parse(readFileSync("../record.json", "utf8"));
const { pid } = process;
const now = () => Number(process.hrtime.bigint() / 1000000n);
const file = INCARNATIONS + "/" + now() + "-" + pid;
const first = { replica, uid, incarnation, pid, node: BERTH_NODE, devices: BERTH_DEVICES, atMs: now() };
appendFileSync(file, JSON.stringify(first) + "\\n");
setInterval(() => appendFileSync(file, now() + "\\n"), 100);
process.on("SIGTERM", () => process.exit(0));
if (WORK_MS) setTimeout(() => process.exit(0), Number(WORK_MS));
if (PORT_HTTP) {
  const answer = JSON.stringify({ replica, uid, incarnation, pid });
  require("node:http").createServer((_, response) => response.end(answer)).listen(Number(PORT_HTTP));
}
`;
