/**
 * What would have happened with another policy revision in force: chapters of a recording are
 * played again, with what came from outside kept and all that the plane did about it recomputed. It
 * is done twice, the first time with nothing changed: in what that differs from the recording is
 * how far the second can be trusted. It reads the recording's files and touches nothing else.
 */
import { isDeepStrictEqual } from "node:util";
import type { Request } from "../core/kernel/component.ts";
import type { PolicyRevisionSpec } from "../core/model/policy.ts";
import { type Differences, differences } from "./counterfactual/differences.ts";
import { movesPointer, type OtherPolicy, withOtherPolicy } from "./counterfactual/other-policy.ts";
import { PlayedPlane } from "./counterfactual/played-plane.ts";
import { PreviewRefused } from "./counterfactual/preview-refused.ts";
import { readScript } from "./counterfactual/read-script.ts";
import type { RunAccount } from "./counterfactual/run-account.ts";
import type { Script } from "./counterfactual/script.ts";

export interface CounterfactualOf {
  readonly folder: string;
  /** The names of the files, oldest first. */
  readonly chapters: readonly string[];
  readonly policy: string;
  readonly revision: string;
  /** Of a revision that may not be in the log yet. */
  readonly spec?: PolicyRevisionSpec | undefined;
  readonly region?: string | undefined;
  readonly onProgress?: ((step: Step, done: number, total: number) => void) | undefined;
}

export type Step = "reading" | "as it was" | "with the other policy";

export interface Counterfactual {
  readonly script: Script;
  /** Between the recording and the run with nothing changed. */
  readonly control: Differences;
  /** Between that run and the one with the other policy. */
  readonly changed: Differences;
  readonly before: RunAccount;
  readonly after: RunAccount;
}

export function counterfactual(of: CounterfactualOf): Counterfactual {
  const { onProgress } = of;
  const { script, account } = readScript(of, (done, total) => onProgress?.("reading", done, total));
  const other = otherPolicy(of, script);
  const beginning = withOtherPolicy(script.beginning, other);
  const total = script.lines.length;
  const same = { script, beginning: script.beginning, isLeftOut: () => false };
  const before = new PlayedPlane(same).play((done) => onProgress?.("as it was", done, total));
  const isLeftOut = (request: Request): boolean =>
    request.kind === "command" && movesPointer(request.command.intent, other);
  const after = new PlayedPlane({ script, beginning, isLeftOut }).play((done) =>
    onProgress?.("with the other policy", done, total),
  );
  const control = differences(account, before);
  return { script, control, changed: differences(before, after), before, after };
}

function otherPolicy(
  { policy, revision, spec, region }: CounterfactualOf,
  { revisions, policies }: Script,
): OtherPolicy {
  const known = revisions.get(revision);
  if (known !== undefined && spec !== undefined && !isDeepStrictEqual(known, spec)) {
    throw new PreviewRefused(
      `Cannot preview revision ${revision}: the recording has it with another spec, and a revision never changes (revision-immutable, rule PY1). Give yours another name.`,
    );
  }
  const said = spec ?? known;
  if (said === undefined) throw unknownRevision(revision, [...revisions.keys()]);
  const { active } = policies.get(policy) ?? {};
  const restSpec = active === undefined ? undefined : revisions.get(active);
  const rest = active && restSpec && { revision: active, spec: restSpec };
  return { policy, revision, spec: said, region, ...(rest ? { rest } : {}) };
}

function unknownRevision(revision: string, known: readonly string[]): PreviewRefused {
  const found = known.length === 0 ? "no revision" : `the revisions ${known.toSorted().join(", ")}`;
  return new PreviewRefused(
    `Cannot preview revision ${revision}: this part of the recording has ${found}. Give its manifest with -f.`,
  );
}
