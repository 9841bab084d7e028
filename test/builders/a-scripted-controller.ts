/**
 * A controller that looks after nodes and concludes whatever the test tells it to. It keeps a list of its
 * looks, so that a test can see when the runner looked at what, and what it was told.
 */
import type { Controller } from "../../src/core/runner/controller.ts";
import { type Decision, type Look, propose, settled } from "../../src/core/protocol/decision.ts";
import type { Change } from "../../src/core/protocol/commit-record.ts";
import { nodeKey, type ObjectKey, operationId } from "../../src/core/model/ids.ts";
import type { Interest } from "../../src/core/observe/interest.ts";
import type { View } from "../../src/core/observe/view.ts";

export interface Looked {
  readonly key: ObjectKey;
  readonly now: number;
  readonly viewRevision: number;
  readonly feedback: Look["feedback"];
  readonly failures: number;
}

export type Script = (key: ObjectKey, view: View, look: Look) => Decision;

export class ScriptedController implements Controller {
  readonly role = "place";
  readonly interest: Interest = { kinds: new Set(["Node", "Quota"]), node: undefined };
  readonly looks: Looked[] = [];
  script: Script;

  constructor(script: Script = () => settled) {
    this.script = script;
  }

  keysFor({ key }: Change): readonly ObjectKey[] {
    return key.startsWith("Node/") ? [key] : [];
  }

  allKeys(view: View): readonly ObjectKey[] {
    return [...view.objects.all("Node").keys()];
  }

  reconcile(key: ObjectKey, view: View, look: Look): Decision {
    const { now, feedback, failures } = look;
    this.looks.push({ key, now, viewRevision: view.revision, feedback, failures });
    return this.script(key, view, look);
  }
}

/** Proposes the deletion of these nodes, each under an operation that is always the same. */
export const proposing = (...names: readonly string[]): Decision =>
  propose(
    names.map((name) => ({
      kind: "delete",
      operation: operationId(`delete-${name}`),
      key: nodeKey(name),
      expect: {},
    })),
    { summary: "the test says so" },
  );
