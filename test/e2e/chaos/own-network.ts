/**
 * A network of our own for one agent: two network namespaces that nothing else is in, joined by a virtual cable. The agent is
 * in one of them; in the other a forwarder passes on what it says through a socket in the file system, which namespaces do
 * not part. Pulling the cable loses packets as a real cut does: nobody is told, and TCP tries again until it is mended.
 *
 * Both namespaces live as long as the two processes in them, and those end when their standard input does: with us.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { existsSync } from "node:fs";

/** Seen in no namespace but ours. */
const AGENT_ADDRESS = "10.250.0.1";
const FORWARDER_ADDRESS = "10.250.0.2";
const PORT = 7000;

/** Longer than it takes a process to start on a busy machine. */
const PATIENCE_MS = 120_000;

const FORWARDER = `
const http = require("node:http");
const [outward, inward] = process.argv.slice(1);
http
  .createServer((question, reply) => {
    const { method, url: path } = question;
    // A plane without tokens serves its own machine, under the names that one has for itself.
    const headers = { ...question.headers, host: "127.0.0.1" };
    const asked = http.request({ socketPath: outward, method, path, headers }, (answer) => {
      reply.writeHead(answer.statusCode, answer.headers).flushHeaders();
      answer.on("error", () => reply.destroy()).pipe(reply);
    });
    asked.on("error", () => reply.destroy());
    reply.on("close", () => asked.destroy());
    question.pipe(asked);
  })
  .listen(${PORT}, "0.0.0.0");
http
  .createServer((question, reply) => {
    const asked = http.get("http://" + question.headers["x-to"] + question.url, (answer) => answer.pipe(reply));
    asked.on("error", () => reply.destroy());
  })
  .listen(inward);
process.stdin.on("end", () => process.exit(0)).resume();
`;

/** Whether the machine lets us make namespaces at all. */
export function canMakeNamespaces(): boolean {
  try {
    execFileSync("unshare", ["--net", "--time", "--boottime", "1", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export class OwnNetwork {
  private readonly agentSide: ChildProcess;
  private readonly farSide: ChildProcess;
  private readonly inward: string;
  /** Where what the agent says comes out. */
  readonly outward: string;
  readonly server = `http://${FORWARDER_ADDRESS}:${PORT}`;

  constructor(folder: string) {
    this.outward = join(folder, "outward.sock");
    this.inward = join(folder, "inward.sock");
    const stdio = ["pipe", "ignore", "inherit"] as const;
    this.agentSide = spawn("unshare", ["--net", "cat"], { stdio: [...stdio] });
    const forward = [process.execPath, "--eval", FORWARDER, this.outward, this.inward];
    this.farSide = spawn("unshare", ["--net", ...forward], { stdio: [...stdio] });
  }

  async connect(): Promise<void> {
    const endMs = performance.now() + PATIENCE_MS;
    while (!existsSync(this.inward)) {
      if (performance.now() > endMs) throw new Error("The forwarder of the network did not start.");
      await sleep(20);
    }
    const far = String(this.farSide.pid);
    const cable = ["link", "add", "near", "type", "veth", "peer", "name", "far", "netns", far];
    this.ip(this.agentSide, ...cable);
    for (const [side, end, address] of [
      [this.agentSide, "near", AGENT_ADDRESS],
      [this.farSide, "far", FORWARDER_ADDRESS],
    ] as const) {
      this.ip(side, "address", "add", `${address}/30`, "dev", end);
      this.ip(side, "link", "set", end, "up");
      this.ip(side, "link", "set", "lo", "up");
    }
  }

  /** What a command has to begin with to run where the agent is. */
  get entering(): readonly string[] {
    return ["nsenter", `--net=/proc/${this.agentSide.pid}/ns/net`];
  }

  cut(): void {
    this.ip(this.farSide, "link", "set", "far", "down");
  }

  heal(): void {
    this.ip(this.farSide, "link", "set", "far", "up");
  }

  /** Packets that went nowhere since the cable was there: a cut that lost none proves nothing. */
  get lost(): number {
    const counters = this.run(this.agentSide, "cat", "/proc/net/snmp");
    const [names = [], values = []] = counters
      .split("\n")
      .filter((line) => line.startsWith("Tcp:"))
      .map((line) => line.split(" "));
    return Number(values[names.indexOf("RetransSegs")] ?? 0);
  }

  has(host: string): boolean {
    return host === AGENT_ADDRESS;
  }

  /** Asks a replica of the agent, which nobody outside can reach. */
  ask(host: string, port: number): Promise<unknown> {
    const headers = { "x-to": `${host}:${port}` };
    return new Promise((resolve, reject) => {
      const asked = request({ socketPath: this.inward, path: "/", headers }, (answer) => {
        let text = "";
        answer.on("data", (part: Buffer) => (text += part.toString()));
        answer.on("end", () => resolve(JSON.parse(text)));
      });
      asked.on("error", reject).end();
    });
  }

  remove(): void {
    for (const side of [this.agentSide, this.farSide]) side.kill("SIGKILL");
  }

  private ip(side: ChildProcess, ...args: readonly string[]): void {
    this.run(side, "ip", ...args);
  }

  private run(side: ChildProcess, ...command: readonly string[]): string {
    const within = [`--net=/proc/${side.pid}/ns/net`, ...command];
    return execFileSync("nsenter", within, { encoding: "utf8" });
  }
}
