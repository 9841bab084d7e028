/**
 * Asks before an override is made, extended or released, and does it as `berth override` does. The
 * list changes by its stream.
 */
import { signal } from "@preact/signals";
import { OVERRIDE_TTL_MS } from "../../../src/core/model/override.ts";
import { confirm } from "../app/confirm.ts";
import { notify } from "../app/notices.ts";
import { deleteJson, getJson, postJson } from "../live/api.ts";
import { asking, headersOf, inNameOf } from "../parts/acting.ts";
import { ActingCommand } from "../parts/acting-command.tsx";
import { NameField } from "../parts/name-field.tsx";
import { askToExtend, STRICT } from "./ask-extend.tsx";
import { emptyDraft, nameOf, objectOf } from "./override-draft.ts";
import { OverrideForm } from "./override-form.tsx";
import {
  type OverrideObject,
  OVERRIDES,
  overridePath,
  postconditionOf,
} from "./override-object.ts";
import { standingWords } from "./override-words.ts";

export async function askCreate(): Promise<void> {
  await asking(async (acting) => {
    const draft = signal(emptyDraft());
    const as = signal(acting.name);
    const isDone = await confirm({
      title: "New override",
      action: "Create the override",
      body: <OverrideForm acting={acting} draft={draft} as={as} />,
      run: () => {
        const headers = headersOf(inNameOf(acting, as.value));
        return postJson(`${OVERRIDES}?${STRICT}`, objectOf(draft.value), { headers });
      },
    });
    if (isDone) notify(`Override ${nameOf(draft.value)} is in force; owner ${as.value}.`, "good");
  });
}

export const askExtend = ({ metadata: { name }, status }: OverrideObject): Promise<void> =>
  askToExtend({
    noun: "override",
    name,
    owner: status.owner,
    path: overridePath(name),
    leastMs: OVERRIDE_TTL_MS.least,
    stands: `Override ${name} is in force`,
  });

export async function askRelease({ metadata: { name } }: OverrideObject): Promise<void> {
  await asking(async (acting) => {
    // The watch does not tell of replicas that serve: the dialog shows the current number.
    const override = await getJson<OverrideObject>(overridePath(name));
    const post = postconditionOf(override);
    const as = signal(acting.name);
    const isDone = await confirm({
      title: `Release override ${name}?`,
      action: "Release",
      isDanger: post?.holds === false,
      body: (
        <>
          <p>
            {standingWords(override.spec)}. Blocked work resumes within seconds. Owner:{" "}
            {override.status.owner}. Only the owner can release it, even with force.
          </p>
          {post !== undefined && (
            <p>
              Its postcondition {post.holds ? "holds" : "is not met"}: {post.text}
            </p>
          )}
          <NameField acting={acting} onInput={(text) => void (as.value = text)} />
          <ActingCommand text={`berth override release ${name}`} acting={acting} as={as} />
        </>
      ),
      run: () => deleteJson(overridePath(name), { headers: headersOf(inNameOf(acting, as.value)) }),
    });
    if (isDone) notify(`Override ${name} was released.`, "good");
  });
}
