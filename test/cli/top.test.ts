/** `berth top` in a real terminal, before a real plane. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { HttpPlaneLink } from "../../src/agent/plane/plane-link.ts";
import { startTicksOf } from "../../src/shell/process-identity.ts";
import { BuiltBerth } from "../bench/a-built-berth.ts";
import { ATerminal } from "./a-terminal.ts";
import { CommandLine, runCommand, workloadText } from "./a-served-plane.ts";

const built = new BuiltBerth();
const script = join(built.folder, "berth.mjs");
let cli: CommandLine;
let terminal: ATerminal;
let agent: HttpPlaneLink;

/** The link of an agent without its processes: all that logs need of it. */
const anAgent = (): HttpPlaneLink =>
  new HttpPlaneLink({
    node: "n1",
    servers: [new URL(cli.url)],
    folder: join(cli.folder, "n1"),
    credentials: {},
    give: () => undefined,
    note: () => undefined,
  });

/** As the process of a replica would write it; returns the file. */
function writeLog(replica: string, incarnation: number, text: string): string {
  const folder = join(cli.folder, "n1", "processes", `shop+${replica}+${incarnation}+0a`);
  mkdirSync(folder, { recursive: true });
  const self = `${process.pid} ${startTicksOf(process.pid)}\n`;
  for (const file of ["claim", "running"]) writeFileSync(join(folder, file), self);
  writeFileSync(join(folder, "stderr.log"), "");
  writeFileSync(join(folder, "stdout.log"), text);
  return join(folder, "stdout.log");
}

beforeAll(async () => {
  await built.build();
  cli = await CommandLine.start();
  await cli.furnish();
  await cli.speakFor("n1");
  const big = workloadText("big").replace("500m", "3900m");
  await cli.must("apply", "-f", cli.write("api.yaml", workloadText("api")));
  await cli.report(2, "serving");
  await cli.must("apply", "-f", cli.write("big.yaml", big));
  agent = anAgent();
  agent.list();
  terminal = new ATerminal({ width: 100, height: 34 });
});
afterAll(async () => {
  await terminal?.close();
  agent?.close();
  await cli?.stop();
  built.remove();
});

const start = (): void => {
  terminal.type(`${process.execPath} ${script} top --server ${cli.url}`);
  terminal.press("Enter");
};

/** From the pane of nodes to the log of a replica and back, in a `berth top` that runs. */
async function openWorkloads(): Promise<void> {
  const log = writeLog("api.1.1", 1, "begun\n");
  terminal.press("Tab");
  const workloads = await terminal.until("the workloads", (screen) =>
    /▶2 workloads +2,[^]* shop\/api +2\/2 +2 serving/.test(screen),
  );
  expect(workloads).toMatch(/> shop\/big +0\/2 +2 admitted +\S+/);
  terminal.type("/api");
  terminal.press("Enter", "Enter");
  const replicas = await terminal.until("the replicas", (screen) => screen.includes("api.1.1 "));
  expect(replicas).toContain("▶replicas of shop/api  2, by name");
  expect(replicas).toMatch(/> shop\/api\.1\.0 +serving +\S+ +n1 +0 Serving/);
  terminal.type("j");
  await terminal.shows("> shop/api.1.1 ");
  terminal.press("Enter");
  expect(await terminal.shows("> begun")).toContain("▶log of shop/api.1.1  1");
  appendFileSync(log, "and written later\n");
  await terminal.shows("> and written later");

  // The process fails: the log says so by itself, and the level below has changed meanwhile.
  const key = "Replica/shop/api.1.1";
  const replica = [...cli.plane.objects.all("Replica").values()].find((each) => each.key === key);
  if (replica === undefined) throw new Error(`There is no ${key}.`);
  await cli.reportOne(replica, "failed", { reason: "exit code 3" });
  writeFileSync(log.replace("stdout.log", "exit"), "3\n");
  await terminal.shows("has failed and restarts after a delay: exit code 3");
  terminal.press("BSpace");
  await terminal.until("the failed replica", (screen) =>
    /> shop\/api\.1\.1 +failed .* 1 Failed: exit code 3/.test(screen),
  );

  terminal.type("?");
  await terminal.shows("▶keys");
  terminal.press("Escape");
  await terminal.shows("▶replicas of shop/api");
  terminal.press("Escape");
  await terminal.shows('▶2 workloads  1, with "api"');
  terminal.press("Escape");
}

it("berth top is live, opens workloads down to a log, follows the size of the terminal and gives it back", async () => {
  start();
  const first = await terminal.until(
    "the fleet and the queue",
    (screen) => /> n1 +ready /.test(screen) && screen.includes("shop/big"),
  );
  expect(terminal.modes()).toBe("1 0");
  expect(first).toMatch(
    /^berth top {2}http:\/\/127\.0\.0\.1:\d+ {2}plane-1 leads \(epoch 1\) {2}revision \d+\n/,
  );
  expect(first).toMatch(/eu +cpu \[#+\.+\] +25% 3 /);
  expect(first).toMatch(/mem \[.*\] +13% 3584Mi\n/);
  await terminal.shows("live ");

  // By the stream, without a key or a question: the node's row and what was done.
  await cli.must("cordon", "n1", "--reason", "new disk");
  const cordoned = await terminal.until(
    "the cordon",
    (screen) => /> n1 +ready,cordoned /.test(screen) && screen.includes("cordoned n1: new disk"),
  );
  expect(cordoned).toMatch(/n1 is ready,cordoned: .*cordoned by .* \(new disk\)/);

  terminal.press("3");
  expect(await terminal.shows("▶3 queue")).toMatch(/shop\/big waits for \S+: /);
  terminal.press("Tab");
  await terminal.shows("▶4 events");
  terminal.press("s");
  await terminal.shows("by oldest");
  terminal.type("/new disk");
  await terminal.shows("/new disk_");
  terminal.press("Enter");
  const filtered = await terminal.shows('4 events  1, with "new disk"');
  expect(filtered).not.toContain("created tenant shop");
  terminal.press("Escape");
  await terminal.until("the filter to go", (screen) => !screen.includes('with "new disk"'));
  terminal.press("1", "Down");
  await openWorkloads();

  terminal.resize(140, 50);
  await terminal.until("the larger frame", (screen) =>
    (screen.split("\n")[49] ?? "").startsWith("q quit  ? keys  tab 1-4 panes"),
  );
  terminal.press("q");
  await terminal.until("the shell", (screen) => screen.trimEnd().endsWith("shell>"));
  expect(terminal.modes()).toBe("0 1");
  expect(terminal.screen()).not.toContain("▶");
});

it("berth top says since when the plane is gone, goes on by itself, and ends well when it is told to", async () => {
  const port = Number(new URL(cli.url).port);
  start();
  await terminal.shows("live ");
  await cli.goAway();
  const lost = await terminal.shows("CONNECTION LOST since ");
  expect(lost).toContain("n1 ");
  await cli.comeBack(port);
  await cli.must("uncordon", "n1");
  await terminal.until(
    "the plane to be back",
    (screen) => screen.includes("live ") && /> n1 +ready {3}/.test(screen),
  );
  process.kill(terminal.child(), "SIGTERM");
  await terminal.until("the shell", (screen) => screen.trimEnd().endsWith("shell>"));
  expect(terminal.modes()).toBe("0 1");
});

it("berth top prints one frame where the output is no terminal, and says what is wrong before it takes one", async () => {
  const once = await cli.must("top");
  expect(once).toMatch(/^berth top {2}http/);
  expect(once).toMatch(/ n1 +ready /);
  expect(once).toContain("shop/big");
  expect(once).not.toContain("\u001B");
  const { code, out, err } = await runCommand(["top", "--server", "http://127.0.0.1:1"]);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain("connection refused");
});
