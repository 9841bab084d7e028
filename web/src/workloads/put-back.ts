/**
 * Takes a rollout back as `berth rollout undo` does: a template of before is written into the spec
 * again, and nothing else of the spec changes.
 */
import { TEMPLATE_NAMES } from "../../../src/core/kinds/fields/template-fields.ts";
import { getJson, putJson } from "../live/api.ts";
import { ApiFailure } from "../live/api-failure.ts";
import { ownHeaders } from "../parts/acting.ts";
import type { PastTemplate, WorkloadObject } from "./workload-object.ts";

/** A rollout writes its workload often; who is overtaken more often than this meets a loop. */
const TRIES = 20;

export const lastServed = (history: readonly PastTemplate[]): PastTemplate | undefined =>
  history.findLast(({ served }) => served);

/**
 * All of the template is replaced, also what the one of before did not say; the rest of the spec
 * stays.
 */
export function specWith(
  spec: WorkloadObject["spec"],
  template: PastTemplate["template"],
): Readonly<Record<string, unknown>> {
  const kept = Object.entries(spec).filter(([field]) => !TEMPLATE_NAMES.includes(field));
  return { ...Object.fromEntries(kept), ...template };
}

export async function putBack(path: string, generation: number): Promise<void> {
  const headers = await ownHeaders();
  for (let tries = 1; ; tries += 1) {
    const live = await getJson<WorkloadObject>(path);
    const past = live.status?.history?.find((each) => each.generation === generation);
    if (past === undefined) {
      const message = `Generation ${generation} is no longer in the history: reload the page.`;
      throw new ApiFailure(404, { message });
    }
    try {
      const body = { ...live, spec: specWith(live.spec, past.template) };
      await putJson(`${path}?fieldManager=berth`, body, { headers });
      return;
    } catch (error) {
      const isOvertaken = error instanceof ApiFailure && error.status === 409;
      if (!isOvertaken || tries === TRIES) throw error;
    }
  }
}
