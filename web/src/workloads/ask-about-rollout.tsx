/** Pausing, resuming and taking back a rollout: asks first, and then writes what `berth rollout` writes. */
import { confirm } from "../app/confirm.ts";
import { notify } from "../app/notices.ts";
import { patchJson } from "../live/api.ts";
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
            ? "Nothing more is begun or ended until it is resumed. What runs goes on running, and its deadline stands still."
            : "It goes on where it stopped."}
        </p>
        <CommandLine text={commandFor(workload, paused ? "rollout pause" : "rollout resume")} />
      </>
    ),
    action: paused ? "Pause" : "Resume",
    run: () =>
      patchJson(`${workloadPath(workload)}?fieldManager=berth`, { spec: { rollout: { paused } } }),
  });
  if (isDone) notify(`The rollout of ${key} ${paused ? "is paused" : "goes on"}.`, "good");
}

export async function askToUndo(workload: Workload, generation: number): Promise<void> {
  const { key, rollout } = workload;
  const isDone = await confirm({
    title: `Take ${key} back to generation ${generation}`,
    body: (
      <>
        <p>
          The template of generation {generation} is written into the spec again; everything else of
          the spec stays. What is left of that generation goes on serving, and the others are
          replaced within the bounds of the rollout.
        </p>
        {rollout?.paused === true && (
          <p>The rollout is paused, and stays so: resume it to let it go back.</p>
        )}
        <CommandLine text={commandFor(workload, "rollout undo", "--to", String(generation))} />
      </>
    ),
    action: "Undo",
    isDanger: true,
    run: () => putBack(workloadPath(workload), generation),
  });
  if (isDone) notify(`${key} goes back to generation ${generation}.`, "good");
}
