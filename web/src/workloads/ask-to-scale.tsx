/**
 * Asks how many replicas there are to be, says what that does, and writes it as `berth scale` does.
 */
import { type Signal, signal } from "@preact/signals";
import { confirm } from "../app/confirm.ts";
import { notify } from "../app/notices.ts";
import { patchJson } from "../live/api.ts";
import { ownHeaders } from "../parts/acting.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { scaleText, wholeNumber } from "./scale-text.ts";
import { commandFor, workloadPath } from "./workload-path.ts";
import type { Workload } from "./workload-row.ts";

export async function askToScale(workload: Workload): Promise<void> {
  const { key, batch, wanted } = workload;
  const now = batch?.parallelism ?? wanted;
  const written = signal(String(now));
  const isDone = await confirm({
    title: `Scale ${key}`,
    body: <ScaleForm workload={workload} now={now} written={written} />,
    action: "Scale",
    run: async () => {
      // An invalid number is sent as written: the plane says best what it expects.
      const body = { spec: { replicas: wholeNumber(written.value) ?? written.value } };
      const path = `${workloadPath(workload)}/scale?fieldManager=berth`;
      return patchJson(path, body, { headers: await ownHeaders() });
    },
  });
  if (isDone) notify(`${key} was scaled from ${now} to ${written.value.trim()}.`, "good");
}

interface ScaleFormProps {
  readonly workload: Workload;
  readonly now: number;
  readonly written: Signal<string>;
}

function ScaleForm({ workload, now, written }: ScaleFormProps) {
  const isJob = workload.batch !== null;
  const to = written.value.trim();
  return (
    <div class="scale-form">
      <label>
        Replicas
        <input
          type="number"
          name="replicas"
          autofocus
          value={written.value}
          onInput={({ currentTarget }) => void (written.value = currentTarget.value)}
        />
      </label>
      <p aria-live="polite">{scaleText({ now, written: to, isJob })}</p>
      <CommandLine text={commandFor(workload, "scale", "--replicas", to === "" ? "N" : to)} />
    </div>
  );
}
