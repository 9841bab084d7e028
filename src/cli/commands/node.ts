/**
 * `berth node approve`: lets a node take work that its agent has registered and no operator has
 * stated. The command shows the node's claims first and approves only those: if the node changes in
 * between, it is not.
 */
import type { Command } from "commander";
import { APPROVAL_HOLDER } from "../../core/model/node/node-approval.ts";
import { type ActingOptions, actingAs, addActingOptions } from "../client/acting-as.ts";
import { listOf, recordOf, type ShownObject, textOf } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { printable } from "../../text/printable.ts";

export interface ApproveOptions extends ServerOptions, ActingOptions {
  readonly dryRun?: boolean;
}

export function registerNode(program: Command, terminal: Terminal): void {
  const node = program.command("node").description("approve nodes that wait for approval");
  const approve = node
    .command("approve <node>")
    .description("approve a self-registered node and print its claims")
    .option("--dry-run", "print the node's claims and change nothing");
  addServerOptions(addActingOptions(approve)).action((name: string, options: ApproveOptions) =>
    approveNode(name, options, terminal),
  );
}

export async function approveNode(
  name: string,
  options: ApproveOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const path = `/apis/berth.dev/v1/nodes/${encodeURIComponent(name)}`;
  const live = await client.get<ShownObject>(path);
  const holds = listOf(live.spec?.["cordons"]).map(recordOf);
  const hold = holds.find(({ holder }) => holder === APPROVAL_HOLDER);
  if (hold === undefined) {
    throw new UserError("request-refused", `node/${name} is not waiting for approval.`);
  }
  terminal.out(`${claims(live, textOf(hold["reason"])).map(printable).join("\n")}\n`);
  if (options.dryRun === true) return;
  const { name: as } = await actingAs(client, options);
  await client.send<ShownObject>("PATCH", path, {
    contentType: "application/merge-patch+json",
    body: {
      metadata: { resourceVersion: live.metadata.resourceVersion },
      spec: { cordons: holds.filter((each) => each !== hold) },
    },
    query: { fieldManager: "berth", fieldValidation: "Strict" },
    as,
  });
  const others = holds.filter((each) => each !== hold).map(({ holder }) => textOf(holder));
  const after =
    others.length === 0 ? "is schedulable now" : `is still held by ${others.join(", ")}`;
  terminal.out(`${printable(`node/${name} approved by ${as}; it ${after}`)}\n`);
}

/** The plane shows these of every node, from its name, region and zone. */
const DERIVED_LABEL = /^(?:kubernetes\.io\/hostname|topology\.kubernetes\.io\/(?:region|zone))$/;

/** What the node says of itself, a line each. */
function claims({ metadata, spec }: ShownObject, reason: string): readonly string[] {
  const capacity = recordOf(spec?.["capacity"]);
  const labels = Object.entries(recordOf(recordOf(metadata)["labels"])).filter(
    ([key]) => !DERIVED_LABEL.test(key),
  );
  const taints = listOf(spec?.["taints"]).map((each) => textOf(recordOf(each)["key"]));
  const { cpu, memory, ...devices } = capacity;
  return [
    `node/${metadata.name} claims`,
    `  region  ${textOf(spec?.["region"])}, zone ${textOf(spec?.["zone"])}`,
    `  cpu     ${String(cpu)}, memory ${String(memory)}`,
    ...(Object.keys(devices).length === 0 ? [] : [`  devices ${JSON.stringify(devices)}`]),
    ...(labels.length === 0
      ? []
      : [`  labels  ${labels.map(([key, value]) => `${key}=${String(value)}`).join(", ")}`]),
    ...(taints.length === 0 ? [] : [`  taints  ${taints.join(", ")}`]),
    `  held    ${reason}`,
  ];
}
