/**
 * Pausing, resuming and taking back a rollout: asks first, and then writes what `berth rollout`
 * writes.
 */
import { confirm } from "../app/confirm.ts";
import { notify } from "../app/notices.ts";
import { patchJson } from "../live/api.ts";
import { ownHeaders } from "../parts/acting.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { putBack } from "./put-back.ts";
import { commandFor, workloadPath } from "./workload-path.ts";
import type { Workload } from "./workload-row.ts";

export async function askToPause(workload: Workload, paused: boolean): Promise<void> {
  const { key } = workload;
  const isDone = await confirm({
    title: paused ? `Pause the rollout of ${key}` : `Resume the rollout of ${key}`,
    body: (
      <>
        <p>
          {paused
            ? "The rollout starts and stops no replicas until you resume it. Running replicas stay, and the deadline is suspended."
            : "The rollout continues where it stopped."}
        </p>
        <CommandLine text={commandFor(workload, paused ? "rollout pause" : "rollout resume")} />
      </>
    ),
    action: paused ? "Pause" : "Resume",
    run: async () => {
      const body = { spec: { rollout: { paused } } };
      const path = `${workloadPath(workload)}?fieldManager=berth`;
      return patchJson(path, body, { headers: await ownHeaders() });
    },
  });
  if (isDone) notify(`The rollout of ${key} ${paused ? "is paused" : "continues"}.`, "good");
}

export async function askToUndo(workload: Workload, generation: number): Promise<void> {
  const { key, rollout } = workload;
  const isDone = await confirm({
    title: `Roll ${key} back to generation ${generation}`,
    body: (
      <>
        <p>
          The template of generation {generation} is restored in the spec; all other fields stay.
          Replicas of that generation keep serving, and the others are replaced within the bounds of
          the rollout.
        </p>
        {rollout?.paused === true && <p>The rollout stays paused: resume it to roll back.</p>}
        <CommandLine text={commandFor(workload, "rollout undo", "--to", String(generation))} />
      </>
    ),
    action: "Undo",
    isDanger: true,
    run: () => putBack(workloadPath(workload), generation),
  });
  if (isDone) notify(`Rolling ${key} back to generation ${generation}.`, "good");
}
