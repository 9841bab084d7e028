/** `berth policy list`: where which revision is in force, and how much is bound under each. */
import { recordOf, textOf } from "../../steering/api-object.ts";
import { columns } from "../client/columns.ts";
import { connect } from "../client/connect.ts";
import type { ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { policyOf, readAll, readBindings, type ShownPolicy } from "../../steering/shown-policy.ts";

export async function listPolicies(options: ServerOptions, terminal: Terminal): Promise<void> {
  const client = connect(options);
  const policies = (await readAll(client, "policies")).map(policyOf);
  const revisions = await readAll(client, "policyrevisions");
  const bindings = await readBindings(client);
  if (policies.length + revisions.length === 0) {
    terminal.out("no policies: the built-in defaults apply everywhere\n");
    return;
  }
  const places = policies.flatMap(placesOf);
  terminal.out(columns([["POLICY", "WHERE", "REVISION", "SINCE", "BY"], ...places]));
  if (revisions.length === 0) return;
  const rows = revisions.map(({ metadata: { name }, spec = {} }) => {
    const bound = bindings.filter(({ revision }) => revision === name).length;
    const plan = recordOf(spec["onRollback"]);
    const ways = ["bindings", "reservations"].map((effect) => textOf(plan[effect]) || "preserve");
    return [name, textOf(spec["scoring"]), ways.join("/"), String(bound)];
  });
  const head = ["REVISION", "SCORING", "ON ROLLBACK", "BOUND"];
  terminal.out(`\n${columns([head, ...rows])}`);
}

function placesOf(policy: ShownPolicy): string[][] {
  const since = (region: string, revision: string): string[] => {
    const move = policy.history.findLast((each) => each.to === revision && each.region === region);
    return [move?.time ?? "", move?.by ?? ""];
  };
  const { name, active, stages } = policy;
  return [
    [
      name,
      "everywhere",
      active || "(no revision: scoring of the policy itself)",
      ...since("", active),
    ],
    ...[...stages].map(([region, revision]) => [
      name,
      region,
      revision,
      ...since(region, revision),
    ]),
  ];
}
