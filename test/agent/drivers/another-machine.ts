/** A machine beside this one, as far as the network goes: a namespace of its own at the end of a virtual cable. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";

/** Of a net that documentation has (TEST-NET-2), so that no real one is hidden. */
const HERE = "198.51.100.1";
const THERE = "198.51.100.2";
const PORT = 7000;

/** Serves a port, and tries connections that it is told of: "host port ms" on its input. */
const PROGRAM = `
const net = require("node:net");
net.createServer((socket) => socket.end()).listen(${PORT}, () => console.log("up"));
require("node:readline").createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [host, port, ms] = line.split(" ");
    const socket = net.connect({ host, port });
    const say = (word) => { if (!socket.destroyed) console.log(word); socket.destroy(); };
    socket.on("connect", () => say("open")).on("error", () => say("refused"));
    setTimeout(() => say("silent"), Number(ms));
  })
  .on("close", () => process.exit(0));
`;

const ip = (...words: string[]) => execFileSync("ip", words);

export class AnotherMachine {
  readonly here = HERE;
  readonly address = THERE;
  readonly port = PORT;
  private readonly process: ChildProcess;
  private readonly lines: Interface;

  private constructor(child: ChildProcess) {
    this.process = child;
    this.lines = createInterface({ input: child.stdout! });
  }

  static async begin(): Promise<AnotherMachine> {
    const child = spawn("unshare", ["--net", process.execPath, "-e", PROGRAM], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const machine = new AnotherMachine(child);
    await once(machine.lines, "line");
    const name = `b${process.pid}`;
    ip(
      "link",
      "add",
      `${name}a`,
      "type",
      "veth",
      "peer",
      "name",
      `${name}b`,
      "netns",
      `${child.pid}`,
    );
    ip("address", "add", `${HERE}/24`, "dev", `${name}a`);
    ip("link", "set", `${name}a`, "up");
    const inside = (...words: string[]) =>
      execFileSync("nsenter", ["--target", `${child.pid}`, "--net", "ip", ...words]);
    inside("address", "add", `${THERE}/24`, "dev", `${name}b`);
    inside("link", "set", `${name}b`, "up");
    return machine;
  }

  /** What becomes of a connection from there: open, refused, or silent for so long. */
  async connect(host: string, port: number, ms: number): Promise<string> {
    const answer = once(this.lines, "line");
    this.process.stdin!.write(`${host} ${port} ${ms}\n`);
    return String((await answer)[0]);
  }

  async end(): Promise<void> {
    const ended = once(this.process, "exit");
    this.process.stdin!.end();
    await ended;
  }
}
