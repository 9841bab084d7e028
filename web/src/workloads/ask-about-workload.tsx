/** Restarting and deleting a workload: asks first, and then writes what the command writes. */
import { computed, signal } from "@preact/signals";
import { confirm } from "../app/confirm.ts";
import { notify } from "../app/notices.ts";
import { deleteJson, patchJson } from "../live/api.ts";
import { asking, headersOf, inNameOf } from "../parts/acting.ts";
import { ActingCommand } from "../parts/acting-command.tsx";
import { FormField } from "../parts/form-field.tsx";
import { NameField } from "../parts/name-field.tsx";
import { commandFor, workloadPath } from "./workload-path.ts";
import type { Workload } from "./workload-row.ts";

/** A plane that does not know the field says so, instead of leaving it out. */
const STRICT = "fieldManager=berth&fieldValidation=Strict";

export async function askToRestart(workload: Workload): Promise<void> {
  const { key } = workload;
  await asking(async (acting) => {
    const as = signal(acting.name);
    const isDone = await confirm({
      title: `Restart ${key}?`,
      action: "Restart",
      body: (
        <>
          <p>
            Every replica is replaced by one of the same template, within the bounds of the rollout:
            as many serve as during any other change.
          </p>
          <NameField acting={acting} onInput={(text) => void (as.value = text)} />
          <ActingCommand text={commandFor(workload, "restart")} acting={acting} as={as} />
        </>
      ),
      run: () => {
        const headers = headersOf(inNameOf(acting, as.value));
        const body = { spec: { restartedAt: new Date().toISOString() } };
        return patchJson(`${workloadPath(workload)}?${STRICT}`, body, { headers });
      },
    });
    if (isDone) notify(`${key} restarts.`, "good");
  });
}

export async function askToDelete(workload: Workload): Promise<void> {
  const { key, name, stages } = workload;
  const count = Object.values(stages).reduce((sum, each) => sum + each, 0);
  await asking(async (acting) => {
    const as = signal(acting.name);
    const typed = signal("");
    const isDone = await confirm({
      title: `Delete ${key}?`,
      action: "Delete",
      isDanger: true,
      isAllowed: computed(() => typed.value.trim() === name),
      body: (
        <>
          <p>
            {count === 0
              ? "It has no replicas."
              : `Its ${count === 1 ? "replica is" : `${count} replicas are`} stopped.`}{" "}
            The workload cannot be restored; its history stays in the log.
          </p>
          <FormField
            label={`Type ${name} to confirm`}
            isFirst
            onInput={(text) => void (typed.value = text)}
          />
          <NameField acting={acting} onInput={(text) => void (as.value = text)} />
          <ActingCommand text={commandFor(workload, "delete")} acting={acting} as={as} />
        </>
      ),
      run: () =>
        deleteJson(workloadPath(workload), { headers: headersOf(inNameOf(acting, as.value)) }),
    });
    if (isDone) notify(`${key} is being deleted.`, "good");
  });
}
