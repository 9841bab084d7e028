/**
 * The command that moves a policy's pointer, and what a refusal of it means. Pure: `berth policy`
 * and the dashboard send the same command and say the same words.
 */
import type { Command as PlaneCommand } from "../core/protocol/command.ts";
import type { Reply } from "../core/protocol/outcome.ts";
import { operationId } from "../core/model/ids.ts";
import { inForce, type ShownPolicy } from "./shown-policy.ts";

export interface ActivationToSend {
  /** As it was seen a moment ago: a concurrent activation is not overwritten. */
  readonly seen: ShownPolicy;
  readonly region: string | undefined;
  readonly to: string;
  readonly reason: string;
  readonly by: string;
}

/**
 * The plane may change its leader while we speak to it; who meets that five times in a row is told
 * so.
 */
const TRIES = 5;

/**
 * Resolves to why it was refused, or to nothing when the pointer has moved. `post` sends a body to
 * `/commands`.
 */
export async function activate(
  move: ActivationToSend,
  post: (body: unknown) => Promise<Reply>,
): Promise<string | undefined> {
  let epoch = 0;
  for (let tries = 1; ; tries += 1) {
    const reply = await post({
      from: `user:${move.by}`,
      request: { kind: "command", attempt: tries, command: commandOf(move, epoch) },
    });
    const outcome = reply.kind === "outcome" ? reply.outcome : undefined;
    if (outcome?.kind === "committed" || outcome?.kind === "duplicate") return undefined;
    if (reply.kind === "outcome") ({ epoch } = reply);
    const mayPass = outcome === undefined || outcome.code === "stale-epoch";
    if (!mayPass || tries >= TRIES) return refusalText(move, outcome);
  }
}

function commandOf(
  { seen, region, to, reason, by }: ActivationToSend,
  epoch: number,
): PlaneCommand {
  const place = region ?? "";
  return {
    intent: {
      kind: "activate",
      // The same move of the pointer as it was seen has one effect, however often it is sent.
      operation: operationId(`activate/${seen.uid}/${seen.generation}/${place}/${to}/${by}`),
      policy: seen.name,
      ...(region === undefined ? {} : { region }),
      from: inForce(seen, region),
      to,
      reason,
    },
    epoch,
    basis: 0,
    actor: { role: "user", name: by },
  };
}

function refusalText(
  { seen, to }: ActivationToSend,
  outcome:
    | { field: string; expected: unknown; actual: unknown; code: string; rule: string }
    | undefined,
): string {
  if (outcome === undefined) return `policy/${seen.name}: there is no leader now; try again.`;
  const { field, expected, actual, code, rule } = outcome;
  const found = `${field}: expected ${String(expected)}, found ${String(actual)}`;
  return `policy/${seen.name} cannot be moved to ${to}: ${found} (${code}, rule ${rule}).${ADVICE[code] ?? ""}`;
}

const ADVICE: Readonly<Record<string, string>> = {
  "policy-moved":
    " Somebody has moved it meanwhile: look with berth policy history, then decide again.",
  "policy-staged": " End that stage first, with --region.",
  "already-active": " There is nothing to do.",
  "no-such-object": " Look with berth policy list.",
};
