/**
 * Asks before the pointer of a policy moves, on or back, and sends what `berth policy` sends. The
 * page changes by its stream.
 */
import { signal } from "@preact/signals";
import { activate } from "../../../src/steering/activation.ts";
import type { ShownPolicy } from "../../../src/steering/shown-policy.ts";
import type { Reply } from "../../../src/core/protocol/outcome.ts";
import { confirm } from "../app/confirm.ts";
import { notify } from "../app/notices.ts";
import { postJson } from "../live/api.ts";
import { ApiFailure } from "../live/api-failure.ts";
import { type Acting, asking, inNameOf } from "../parts/acting.ts";
import { type Move, MoveForm } from "./move-form.tsx";
import { type RevisionObject, whereText } from "./revision-object.ts";

/** Another one than is in force, the newest first. */
export async function askActivate(
  seen: ShownPolicy,
  revisions: readonly RevisionObject[],
): Promise<void> {
  const other = revisions.find(({ metadata }) => metadata.name !== seen.active) ?? revisions[0];
  const move = { to: other?.metadata.name ?? "", region: "", reason: "", isBack: false };
  await ask(seen, move, revisions);
}

export async function askRollBack(
  of: { readonly seen: ShownPolicy; readonly region: string | undefined; readonly to: string },
  revisions: readonly RevisionObject[],
): Promise<void> {
  const { seen, region = "", to } = of;
  await ask(seen, { to, region, reason: "", isBack: true }, revisions);
}

async function ask(
  seen: ShownPolicy,
  first: Move,
  revisions: readonly RevisionObject[],
): Promise<void> {
  await asking(async (acting) => {
    const move = signal(first);
    const as = signal(acting.name);
    const place = first.region === "" ? "" : ` in ${first.region}`;
    const isDone = await confirm({
      title: first.isBack
        ? `Roll policy ${seen.name} back${place}?`
        : `Activate a revision of policy ${seen.name}?`,
      action: first.isBack ? "Roll back" : "Activate",
      isDanger: first.isBack,
      body: <MoveForm acting={acting} seen={seen} move={move} revisions={revisions} as={as} />,
      run: () => send(seen, move.value, inNameOf(acting, as.value)),
    });
    const { to, region } = move.value;
    if (isDone) notify(`${to} is active ${whereText(region.trim())}.`, "good");
  });
}

/**
 * It says the revision in force when the dialog was opened: a concurrent activation is not
 * overwritten.
 */
async function send(seen: ShownPolicy, move: Move, { name: by }: Acting): Promise<void> {
  const region = move.region.trim() === "" ? undefined : move.region.trim();
  const reason = move.reason.trim() || (move.isBack ? "rollback" : "");
  const refusal = await activate({ seen, region, to: move.to, reason, by }, (body) =>
    postJson<Reply>("/commands", body),
  );
  if (refusal !== undefined) throw new ApiFailure(409, { message: refusal });
}
