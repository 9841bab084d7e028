/** Asks for the plane's health again and again, from a process of its own: what the fuzzer computes meanwhile delays nothing. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";

const EVERY_MS = 50;

/**
 * Each line on its standard input is answered by the longest time since the last one for which no answer had come. A refused
 * connection and any other answer than 200 are none.
 */
const PROGRAM = `
const http = require("node:http");
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const now = () => Number(process.hrtime.bigint() / 1000000n);
let worst = 0;
let since = 0;
function probe() {
  if (since === 0) since = now();
  let isOver = false;
  const over = (isHealthy) => {
    if (isOver) return;
    isOver = true;
    if (isHealthy) { worst = Math.max(worst, now() - since); since = 0; }
    setTimeout(probe, ${EVERY_MS});
  };
  const asked = http.get({ host: "127.0.0.1", port: Number(process.argv[1]), path: "/healthz", agent }, (answer) => {
    answer.resume();
    answer.once("end", () => over(answer.statusCode === 200));
    answer.once("error", () => over(false));
  });
  asked.once("error", () => over(false));
}
probe();
require("node:readline").createInterface({ input: process.stdin }).on("line", () => {
  const pending = since > 0 ? now() - since : 0;
  process.stdout.write(Math.max(worst, pending) + "\\n");
  worst = 0;
}).on("close", () => process.exit(0));
`;

export class HealthProber {
  private readonly child: ChildProcess;
  private readonly lines: Interface;
  private readonly waiting: ((ms: number) => void)[] = [];

  constructor(port: number) {
    this.child = spawn(process.execPath, ["--eval", PROGRAM, String(port)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const { stdout } = this.child;
    if (stdout === null) throw new Error("The prober has no output.");
    this.lines = createInterface({ input: stdout });
    this.lines.on("line", (line) => this.waiting.shift()?.(Number(line)));
  }

  /** The longest time without an answer since this was last asked. */
  worstMs(): Promise<number> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.child.stdin?.write("\n");
    });
  }

  end(): void {
    this.lines.close();
    this.child.kill("SIGKILL");
  }
}
