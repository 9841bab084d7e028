/** Asks before an override is made, extended or released, and does it as `berth override` does. The list changes by its stream. */
import { signal } from "@preact/signals";
import { OVERRIDE_TTL_MS } from "../../../src/core/model/override.ts";
import { formatDuration, parseDuration } from "../../../src/quantity/duration.ts";
import { confirm } from "../app/confirm.ts";
import { notify } from "../app/notices.ts";
import { deleteJson, getJson, patchJson, postJson } from "../live/api.ts";
import { asking, headersOf, inNameOf } from "../parts/acting.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { FormField } from "../parts/form-field.tsx";
import { NameField } from "../parts/name-field.tsx";
import { emptyDraft, nameOf, objectOf } from "./override-draft.ts";
import { OverrideForm } from "./override-form.tsx";
import {
  type OverrideObject,
  OVERRIDES,
  overridePath,
  postconditionOf,
} from "./override-object.ts";
import { standingWords } from "./override-words.ts";

const STRICT = "fieldManager=berth&fieldValidation=Strict";

export async function askCreate(): Promise<void> {
  await asking(async (acting) => {
    const draft = signal(emptyDraft());
    let as = acting.name;
    const isDone = await confirm({
      title: "New override",
      action: "Create the override",
      body: <OverrideForm acting={acting} draft={draft} onName={(name) => void (as = name)} />,
      run: () => {
        const headers = headersOf(inNameOf(acting, as));
        return postJson(`${OVERRIDES}?${STRICT}`, objectOf(draft.value), { headers });
      },
    });
    if (isDone) notify(`Override ${nameOf(draft.value)} is in force; owner ${as}.`, "good");
  });
}

export async function askExtend({ metadata: { name }, status }: OverrideObject): Promise<void> {
  await asking(async (acting) => {
    const more = signal("30m");
    let as = acting.name;
    const isDone = await confirm({
      title: `Extend override ${name}?`,
      action: "Extend",
      body: (
        <>
          <p>
            Sets a new end, counted from now. An override lasts at most 168h, extensions included.
            Owner: {status.owner}. Only the owner can extend it.
          </p>
          <NameField acting={acting} onInput={(text) => void (as = text)} />
          <FormField
            label="Duration from now"
            value={more.value}
            isFirst
            onInput={(text) => void (more.value = text)}
          />
          <ExtendCommand name={name} more={more} />
        </>
      ),
      run: () => extend(name, more.value.trim(), headersOf(inNameOf(acting, as))),
    });
    if (isDone) notify(`Override ${name} is in force for ${more.value.trim()} from now.`, "good");
  });
}

const ExtendCommand = (of: {
  readonly name: string;
  readonly more: { readonly value: string };
}) => (
  <CommandLine text={`berth override extend ${of.name} --ttl ${of.more.value.trim() || "TTL"}`} />
);

async function extend(
  name: string,
  more: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const path = overridePath(name);
  const { metadata, status } = await getJson<OverrideObject>(path);
  const moreMs = parseDuration(more);
  // Its time is counted from when it was made: what has passed of it is part of the whole.
  const passedMs = Math.max(0, Date.now() - Date.parse(status.since));
  const isLong = moreMs !== undefined && moreMs >= OVERRIDE_TTL_MS.least;
  // What is no duration, or too short, is sent as it was typed: the plane says best what it expects.
  const ttl = isLong ? formatDuration(passedMs + moreMs) : more;
  const { resourceVersion } = metadata;
  await patchJson(
    `${path}?${STRICT}`,
    { metadata: { resourceVersion }, spec: { ttl } },
    { headers },
  );
}

export async function askRelease({ metadata: { name } }: OverrideObject): Promise<void> {
  await asking(async (acting) => {
    // The watch does not tell of replicas that serve: the dialog shows the current number.
    const override = await getJson<OverrideObject>(overridePath(name));
    const post = postconditionOf(override);
    let as = acting.name;
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
          <NameField acting={acting} onInput={(text) => void (as = text)} />
          <CommandLine text={`berth override release ${name}`} />
        </>
      ),
      run: () => deleteJson(overridePath(name), { headers: headersOf(inNameOf(acting, as)) }),
    });
    if (isDone) notify(`Override ${name} was released.`, "good");
  });
}
