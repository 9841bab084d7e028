/**
 * What the plane goes by about a node or a replica, with its age, its source and what it permits,
 * for a person.
 */
import { ageText } from "../../api/age.ts";
import type { ApiClient } from "../client/api-client.ts";
import { recordOf, type ShownObject, textOf } from "../../steering/api-object.ts";
import { columns } from "../client/columns.ts";
import { Refusal } from "../client/refusal.ts";
import type { Located } from "../client/resources.ts";

type Row = readonly string[];

const HEADER: Row = ["EVIDENCE", "OF", "AGE", "SOURCE", "PERMITS", "MESSAGE"];

/** Empty for other kinds, and while nothing was heard. */
export async function evidenceTable(
  client: ApiClient,
  { resource, name }: Located,
  object: ShownObject,
): Promise<string> {
  const rows =
    resource.kind === "Node"
      ? await nodeRows(client, name, object)
      : resource.kind === "Replica"
        ? await replicaRows(client, name, object)
        : [];
  return rows.length === 0 ? "" : `Evidence:\n${columns([HEADER, ...rows])}`;
}

async function replicaRows(
  client: ApiClient,
  name: string,
  { status }: ShownObject,
): Promise<readonly Row[]> {
  const own = ["evidence", "unready"].flatMap((field) =>
    rowOf(`replica/${name}`, recordOf(status?.[field])),
  );
  const node = textOf(status?.["node"]);
  const live = node === "" ? undefined : await find(client, "nodes", node);
  return live === undefined ? own : [...own, ...(await nodeRows(client, node, live))];
}

async function nodeRows(
  client: ApiClient,
  name: string,
  { status }: ShownObject,
): Promise<readonly Row[]> {
  const of = `node/${name}`;
  const lease = recordOf((await find(client, "leases", name))?.status);
  const heard = textOf(lease["renewedAt"]);
  const damped = recordOf(status?.["heldForFlapping"]);
  const clock = recordOf(status?.["clockSuspect"]);
  return [
    ...(heard === ""
      ? []
      : rowOf(of, {
          kind: "lease",
          since: heard,
          source: `agent:${name}`,
          permits: status?.["health"] === "ready" ? "placing replicas" : "nothing",
          message: `Renewal ${textOf(lease["sequence"])} of session ${textOf(lease["session"])}.`,
        })),
    ...streamRow(of, await streamOf(client, name)),
    ...rowOf(of, recordOf(status?.["evidence"])),
    ...(damped["since"] === undefined
      ? []
      : rowOf(of, {
          kind: "flapping",
          since: damped["since"],
          source: "the authority",
          permits: "marking the node unschedulable",
          message: `${textOf(damped["returns"])} returns in ten minutes; until ${textOf(damped["until"])}.`,
        })),
    ...(clock["since"] === undefined
      ? []
      : rowOf(of, {
          kind: "clock-suspect",
          since: clock["since"],
          source: "the authority's clock",
          permits: "marking the node unschedulable, and waiting longer before fencing",
          message: `Off by ${textOf(clock["offBy"])} parts in a thousand.`,
        })),
  ];
}

/**
 * What the plane that answers has seen of the agent's stream; a plane that is older has nothing to
 * say.
 */
async function streamOf(
  client: ApiClient,
  node: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await client.get("/stream/state", { query: { node } });
  } catch (error) {
    if (error instanceof Refusal && (error.status.code === 404 || error.status.code === 403)) {
      return {};
    }
    throw error;
  }
}

/** A gap, or the stream that is open; nothing where this plane never saw one. */
function streamRow(of: string, stream: Readonly<Record<string, unknown>>): readonly Row[] {
  const { isOpen } = stream;
  const gap = recordOf(stream["gap"]);
  const [from, until] = [textOf(gap["since"]), textOf(gap["until"])];
  const permits = "nothing: the agent lists again";
  const source = "the plane";
  if (from === "") {
    const message = isOpen === true ? "The agent's watch is open." : "The agent's watch ended.";
    return rowOf(of, { kind: "stream", since: stream["since"], source, permits, message });
  }
  const lasted = until === "" ? "" : ageText(Date.parse(until) - Date.parse(from));
  const end =
    until === "" ? "it has not reconnected since" : `the agent reconnected after ${lasted}`;
  const message = `The agent's watch broke at revision ${textOf(gap["revision"])}; ${end}.`;
  return rowOf(of, { kind: "watch-gap", since: from, source, permits, message });
}

function rowOf(of: string, evidence: Readonly<Record<string, unknown>>): readonly Row[] {
  const since = textOf(evidence["since"]);
  if (since === "") return [];
  const age = ageText(Date.now() - Date.parse(since));
  const [kind, source, permits, message] = ["kind", "source", "permits", "message"].map((field) =>
    textOf(evidence[field]),
  );
  return [[kind ?? "", of, age, source ?? "", permits ?? "", message ?? ""]];
}

/** A node whose agent has not connected yet has no lease; one that was deleted is not there. */
async function find(
  client: ApiClient,
  plural: string,
  name: string,
): Promise<ShownObject | undefined> {
  try {
    const path = `/apis/berth.dev/v1/${plural}/${encodeURIComponent(name)}`;
    return await client.get<ShownObject>(path);
  } catch (error) {
    if (error instanceof Refusal && error.status.code === 404) return undefined;
    throw error;
  }
}
