import { expect, test } from "vitest";
import { malformedSpec } from "../../core/kinds/well-formed/malformed-spec.ts";
import { WRITTEN_DEFINITIONS } from "../../core/kinds/kind-definitions.ts";
import { operationId } from "../../core/model/ids.ts";
import type { IntentOf } from "../../core/protocol/command.ts";
import { aBeliever } from "../../../test/builders/check/fixtures.ts";
import { KeyedRandom } from "../faults/keyed-random.ts";
import type { Scene } from "./hostile-sender.ts";
import { strangePut } from "./strange-put.ts";

function drawnPut(at: number): IntentOf<"put"> {
  const random = new KeyedRandom(at, "strange-put");
  const scene: Scene = {
    own: "mallory",
    view: aBeliever().view,
    at,
    operation: operationId(`hostile/${at}`),
    seen: [],
    people: [],
    sent: [],
    isAimedAt: () => true,
    pick: (what, from) => from[random.draw(what) % from.length],
    draw: (what, count) => random.draw(what) % count,
  };
  const [put] = strangePut(scene);
  return put as IntentOf<"put">;
}

test("specs drawn from definitions are of every kind that a tenant writes, and the authority takes some of each [INV182]", () => {
  const verdicts = new Map<string, { taken: number; rejected: number }>();
  for (let at = 0; at < 600; at += 1) {
    const { desired } = drawnPut(at);
    const definition = WRITTEN_DEFINITIONS.find(({ kind }) => kind === desired.kind);
    if (definition === undefined) throw new Error(`${desired.kind} is written by people.`);
    const wrong = malformedSpec(
      definition,
      desired.spec,
      (field, expected, actual) =>
        ({
          kind: "refused",
          code: "bad-object",
          message: `${field}: ${expected}, not ${actual}`,
        }) as never,
    );
    const verdict = verdicts.get(desired.kind) ?? { taken: 0, rejected: 0 };
    verdicts.set(desired.kind, verdict);
    if (wrong === undefined) verdict.taken += 1;
    else verdict.rejected += 1;
  }
  const own = WRITTEN_DEFINITIONS.filter(
    ({ scope, kind }) => scope === "tenant" && kind !== "Quota",
  );
  expect([...verdicts.keys()].toSorted()).toEqual(own.map(({ kind }) => kind).toSorted());
  for (const { taken, rejected } of verdicts.values()) {
    expect(taken).toBeGreaterThan(0);
    expect(rejected).toBeGreaterThan(0);
  }
});
