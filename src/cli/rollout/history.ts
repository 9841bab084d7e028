/** `berth rollout history`: the templates a service has had, and how far each of them came. */
import type { ShownObject } from "../../steering/api-object.ts";
import { listOf, recordOf, textOf } from "../../steering/api-object.ts";
import { columns } from "../client/columns.ts";
import { connect } from "../client/connect.ts";
import { workloadNamed } from "./workload-named.ts";
import { locate } from "../client/locate.ts";
import { objectPath, shownName } from "../client/resources.ts";
import type { Terminal } from "../main.ts";
import type { RolloutOptions } from "../commands/rollout.ts";
import { checkRollout } from "./check-rollout.ts";
import { rolloutOf } from "./rollout-of.ts";
import type { ShownRollout } from "./shown-rollout.ts";

export async function showHistory(
  words: readonly string[],
  options: RolloutOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const target = await locate(client, workloadNamed(words, options.namespace));
  const object = await client.get<ShownObject>(objectPath(target));
  const rollout = rolloutOf(object, shownName(target));
  const rows = rollout.history.map(({ generation, since, served, failed, template }) => [
    String(generation),
    since,
    served ? "yes" : "no",
    failed === "" ? placeOf(rollout, generation) : "failed",
    commandOf(template),
  ]);
  const own = rollout.generations.find(
    ({ generation }) => generation === rollout.templateGeneration,
  );
  const now = [
    String(rollout.templateGeneration),
    "",
    own?.served === true ? "yes" : "no",
    `the spec's${STAGE_WORDS[rollout.stage] ?? ""}`,
    commandOf(recordOf(object.spec)),
  ];
  const head = ["GENERATION", "SINCE", "SERVED", "STATE", "COMMAND"];
  terminal.out(columns([head, ...rows, now]));
  for (const line of reasons(rollout)) terminal.out(`${line}\n`);
}

const STAGE_WORDS: Readonly<Record<string, string>> = {
  rolling: ", in progress",
  "going-back": ", failed",
  held: ", failed",
  "rolled-back": ", failed",
};

/** Below the table: a reason is a sentence, and a column as wide as one hides the others. */
function reasons(rollout: ShownRollout): readonly string[] {
  const failed = rollout.history
    .filter((past) => past.failed !== "")
    .map((past) => `Generation ${past.generation} failed: ${past.failed}`);
  return rollout.stage === "" ? failed : [...failed, `Now: ${checkRollout(rollout).text}`];
}

function placeOf({ to, generations }: ShownRollout, generation: number): string {
  if (generation === to) return "runs";
  const left = generations.find((each) => each.generation === generation)?.wanted ?? 0;
  return left > 0 ? `${left} left` : "gone";
}

/** Wide enough to tell commands apart, and not so wide that the rest of the table is lost. */
const COMMAND_WIDTH = 60;

/** On one line: a script is shown by how it begins. */
function commandOf(template: Readonly<Record<string, unknown>>): string {
  const words = listOf(recordOf(template["run"])["command"]).map(textOf);
  const text = words.join(" ").replaceAll(/\s+/g, " ");
  return text.length <= COMMAND_WIDTH ? text : `${text.slice(0, COMMAND_WIDTH - 1)}…`;
}
