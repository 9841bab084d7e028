/**
 * A whole Berth on one machine: a plane and some agents as processes of their own, so that any of them can be
 * killed without the others, and is started again.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "../client/api-client.ts";
import { DEFAULT_LISTEN, findServer } from "../client/find-server.ts";
import { readPlaneNote } from "../client/plane-file.ts";
import { dataFolder } from "../client/server-options.ts";
import { describeUserError, UserError } from "../errors.ts";
import type { Terminal } from "../main.ts";
import { parseListen } from "../plane/listen-address.ts";
import { readWholeNumber } from "../simulation-plan.ts";
import type { UpOptions } from "../up.ts";
import { applyExamples, applyObjects, ownExamples } from "./apply-examples.ts";
import { agentArguments, fleetOf, MOST_AGENTS, MOST_REGIONS, regionObjects } from "./fleet.ts";
import { followProgress } from "./follow-progress.ts";
import { findFreePort } from "./free-port.ts";
import { KeptProcess } from "./kept-process.ts";
import { clearLeftovers, noteRunning, removeNote } from "./leftovers.ts";
import { ProgressView, type Screen } from "./show-progress.ts";

/** Longer than any example takes to stop, and than a plane needs for its last batch. */
const AGENT_GRACE_MS = 15_000;
const PLANE_GRACE_MS = 10_000;
const LOOK_MS = 50;

export async function runUp(
  options: UpOptions,
  terminal: Terminal,
  of: { readonly stopped: Promise<string>; readonly screen: Screen },
): Promise<void> {
  const regions = readCount("--regions", options.regions, { byDefault: 3, most: MOST_REGIONS });
  const agents = readCount("--agents", options.agents, { byDefault: 6, most: MOST_AGENTS });
  const folder = dataFolder(options);
  const view = new ProgressView(of.screen);
  const left = await clearLeftovers(folder);
  if (left > 0) view.news(`Ended ${left} processes that an earlier berth up had left behind.`);
  const children: KeptProcess[] = [];
  const keep = (name: string, args: readonly string[], logFile: string): KeptProcess => {
    const child = new KeptProcess({
      name,
      args,
      logFile,
      onNews: (text) => view.news(text),
      onStart: () => noteRunning(folder, children.flatMap(({ identity }) => identity ?? [])),
      isWorthIt: () => isUp,
    });
    children.push(child);
    child.start();
    return child;
  };
  // A plane that never came up is a mistake to show; one that goes down later is started again.
  let isUp = false;
  const listen = await addressFor(options.listen ?? DEFAULT_LISTEN);
  const plane = keep(
    "the plane",
    ["plane", "--data", folder, "--listen", listen],
    join(folder, "plane.log"),
  );
  const following = new AbortController();
  try {
    const url = await Promise.race([untilReady(folder, plane), plane.gaveUp, of.stopped]);
    if (typeof url === "object") {
      if ("url" in url) {
        isUp = true;
        const client = new ApiClient(findServer({ server: url.url }));
        view.news(greeting(url.url, folder));
        await applyObjects(client, regionObjects(regions));
        for (const node of fleetOf({ regions, agents })) {
          const logFile = join(folder, "agents", node.name, "agent.log");
          keep(`agent ${node.name}`, agentArguments(node, { url: url.url, folder }), logFile);
        }
        await applyAll(client, options, view);
        const followed = followProgress(client, following.signal, (board) => view.show(board));
        await Promise.race([of.stopped, followed]);
      } else {
        terminal.err(`${plane.lastWords(5)}\n`);
        terminal.exitCode = url.code ?? 1;
      }
    }
  } finally {
    following.abort();
    view.end();
    await stopAll(view, { plane, agents: children.filter((child) => child !== plane) });
    removeNote(folder);
  }
}
