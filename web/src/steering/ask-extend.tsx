/**
 * Asks before the end of an override or of a budget is moved, and does it as `berth override
 * extend` does.
 */
import { type Signal, signal } from "@preact/signals";
import { formatDuration, parseDuration } from "../../../src/quantity/duration.ts";
import { confirm } from "../app/confirm.ts";
import { notify } from "../app/notices.ts";
import { getJson, patchJson } from "../live/api.ts";
import { asking, headersOf, inNameOf } from "../parts/acting.ts";
import { ActingCommand, type ActingCommandProps } from "../parts/acting-command.tsx";
import { FormField } from "../parts/form-field.tsx";
import { NameField } from "../parts/name-field.tsx";

export const STRICT = "fieldManager=berth&fieldValidation=Strict";

export interface Lasting {
  /** As `berth` calls its kind. */
  readonly noun: "override" | "budget";
  readonly name: string;
  readonly owner: string;
  readonly path: string;
  readonly leastMs: number;
  /** "Override x is in force", as a notice begins. */
  readonly stands: string;
}

export async function askToExtend(lasting: Lasting): Promise<void> {
  const { noun, name, owner, stands } = lasting;
  await asking(async (acting) => {
    const more = signal("30m");
    const as = signal(acting.name);
    const isDone = await confirm({
      title: `Extend ${noun} ${name}?`,
      action: "Extend",
      body: (
        <>
          <p>
            Sets a new end, counted from now. It lasts at most 168h, extensions included. Owner:{" "}
            {owner}. Only the owner can extend it.
          </p>
          <NameField acting={acting} onInput={(text) => void (as.value = text)} />
          <FormField
            label="Duration from now"
            value={more.value}
            isFirst
            onInput={(text) => void (more.value = text)}
          />
          <ExtendCommand text={`berth ${noun} extend ${name}`} {...{ acting, as, more }} />
        </>
      ),
      run: () => extend(lasting, more.value.trim(), headersOf(inNameOf(acting, as.value))),
    });
    if (isDone) notify(`${stands} for ${more.value.trim()} from now.`, "good");
  });
}

interface ExtendCommandProps extends ActingCommandProps {
  readonly more: Signal<string>;
}

const ExtendCommand = ({ text, more, ...who }: ExtendCommandProps) => (
  <ActingCommand text={`${text} --ttl ${more.value.trim() || "TTL"}`} {...who} />
);

interface LastingObject {
  readonly metadata: { readonly resourceVersion?: string };
  readonly status: { readonly since: string };
}

async function extend(
  { path, leastMs }: Lasting,
  more: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { metadata, status } = await getJson<LastingObject>(path);
  const moreMs = parseDuration(more);
  // Its time is counted from when it was made: what has passed of it is part of the whole.
  const passedMs = Math.max(0, Date.now() - Date.parse(status.since));
  const isLong = moreMs !== undefined && moreMs >= leastMs;
  // What is no duration, or too short, is sent as it was typed: the plane says best what it
  // expects.
  const ttl = isLong ? formatDuration(passedMs + moreMs) : more;
  const { resourceVersion } = metadata;
  await patchJson(
    `${path}?${STRICT}`,
    { metadata: { resourceVersion }, spec: { ttl } },
    { headers },
  );
}
