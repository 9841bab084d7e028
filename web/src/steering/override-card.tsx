/**
 * One override: what it does, whose it is and why, how long it holds, what it holds back, and how
 * it is extended or let go.
 */
import { KeyValues } from "../parts/key-values.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { askExtend, askRelease } from "./ask-override.tsx";
import { HeldBack } from "./held-back.tsx";
import type { OverrideObject } from "./override-object.ts";
import { EFFECTS, standingWords } from "./override-words.ts";
import { PostconditionLine } from "./postcondition-line.tsx";
import { AskButton, SteeredCard } from "./steered-card.tsx";
import { TimeLeft } from "./time-left.tsx";

export interface OverrideCardProps {
  readonly override: OverrideObject;
  /** Another page led here because of this one. */
  readonly isSelected: boolean;
  /** What waits for overrides, as a text that changes with it. */
  readonly waits: string;
  readonly turn: number;
}

export function OverrideCard({ override, isSelected, waits, turn }: OverrideCardProps) {
  const { metadata, spec, status } = override;
  return (
    <SteeredCard
      name={metadata.name}
      title={standingWords(spec)}
      head={<Actions override={override} />}
      owner={status.owner}
      reason={spec.reason}
      isSelected={isSelected}
    >
      <TimeLeft since={status.since} until={status.until} />
      <KeyValues
        items={[
          ["Since", <Since key="since" override={override} />],
          ["Means", EFFECTS[spec.action]],
          ["Blocks", <HeldBack key="held" override={override} turn={waits} />],
          [
            "At its end",
            spec.postcondition === undefined ? undefined : (
              <PostconditionLine key="post" override={override} turn={turn} />
            ),
          ],
        ]}
      />
    </SteeredCard>
  );
}

function Actions({ override }: { readonly override: OverrideObject }) {
  const { name } = override.metadata;
  return (
    <div class="ways">
      <AskButton verb="Extend" name={name} ask={() => askExtend(override)} />
      <AskButton verb="Release" name={name} ask={() => askRelease(override)} />
    </div>
  );
}

function Since({ override }: { readonly override: OverrideObject }) {
  const { since, extensions } = override.status;
  return (
    <>
      <RelativeTime at={since} />
      {extensions === 0
        ? ", never extended"
        : `, extended ${extensions === 1 ? "once" : `${extensions} times`}`}
    </>
  );
}
