/**
 * Makes the node known to the plane, once: an existing node is an operator's decision and is not
 * touched, so an operator's taints, cordons and corrected capacity survive every restart of the
 * agent.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { APPROVAL_HOLDER } from "../core/model/node/node-approval.ts";
import type { Labels } from "../core/model/objects.ts";
import { type Credentials, HttpCaller } from "../shell/http-caller.ts";
import { retryPauseMs } from "../shell/retry-pause.ts";
import { ServerList } from "./plane/server-list.ts";
import { answerText, TurnedAway } from "./plane/turned-away.ts";

export interface NodeDescription {
  readonly name: string;
  readonly region: string;
  readonly zone: string;
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  /** Empty when the node has no exclusive devices. */
  readonly deviceClass: string;
  readonly deviceIds: readonly string[];
  readonly labels: Labels;
}

export interface Registration {
  readonly node: NodeDescription;
  readonly servers: readonly URL[];
  readonly credentials: Credentials;
  readonly note: (message: string) => void;
  /** Stops trying. */
  readonly signal: AbortSignal;
}

const PATIENCE_MS = 5_000;

/** Tries until the plane has answered; the agent may work meanwhile. */
export async function registerNode(of: Registration): Promise<void> {
  const { node, note, signal } = of;
  const servers = new ServerList(of.servers, (message) => note(`registering the node: ${message}`));
  const caller = new HttpCaller(of.credentials);
  try {
    for (let failures = 0; !signal.aborted; failures += 1) {
      const server = servers.current;
      let askedMs = 0;
      try {
        if (await tryToRegister(caller, { server, node, note })) return;
      } catch (error) {
        const isThere = error instanceof TurnedAway && error.isPassing;
        if (!signal.aborted)
          servers.failed(server, error instanceof Error ? error.message : String(error), {
            isThere,
          });
        if (error instanceof TurnedAway) askedMs = error.retryAfterMs;
      }
      await sleep(retryPauseMs(failures, askedMs), undefined, { signal }).catch(() => undefined);
    }
  } finally {
    caller.close();
  }
}

/** Whether there is nothing left to try. */
async function tryToRegister(
  caller: HttpCaller,
  of: { readonly server: URL; readonly node: NodeDescription; readonly note: Registration["note"] },
): Promise<boolean> {
  const { server, node, note } = of;
  const answer = await caller.call({
    server,
    method: "POST",
    path: "/apis/berth.dev/v1/nodes",
    body: nodeObject(node),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const { status, text } = answer;
  if (status === 200 || status === 201) {
    note(`registered the node ${node.name}${isWaiting(text) ? WAITING : ""}`);
    return true;
  }
  if (status === 409) return true;
  // What the node claims is refused, or the token is not for it: somebody else has to make the
  // node.
  if (status === 403) {
    note(
      `cannot register the node ${node.name}, an operator must create it: ${answerText(answer)}`,
    );
    return true;
  }
  // The token may be new to the plane, or be replaced in its file: it is tried again.
  if (status === 401) throw new TurnedAway(answer);
  if (status >= 400 && status < 500 && status !== 429) {
    note(`the plane rejected the node ${node.name}: ${answerText(answer)}`);
    return true;
  }
  throw new TurnedAway(answer);
}

const WAITING = "; it is unschedulable until an operator approves it with `berth node approve`";

/** Whether the answer shows the node held for approval. */
function isWaiting(text: string): boolean {
  const { spec } = JSON.parse(text) as { readonly spec?: { readonly cordons?: unknown } };
  const cordons = Array.isArray(spec?.cordons) ? (spec.cordons as { holder?: unknown }[]) : [];
  return cordons.some(({ holder }) => holder === APPROVAL_HOLDER);
}

function nodeObject(node: NodeDescription): object {
  const { name, labels, region, zone, cpuMillis, memoryMiB, deviceClass, deviceIds } = node;
  const devices = deviceIds.length === 0 ? {} : { devices: { class: deviceClass, ids: deviceIds } };
  return {
    apiVersion: "berth.dev/v1",
    kind: "Node",
    metadata: { name, labels },
    spec: {
      region,
      zone,
      capacity: { cpu: `${cpuMillis}m`, memory: `${memoryMiB}Mi`, ...devices },
    },
  };
}
