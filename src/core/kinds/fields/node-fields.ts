/** What nodes and the pools that they come of have in common: where they are, and their taints. */
import type { Amounts } from "../../model/amounts.ts";
import type { Taint } from "../../model/node/taint.ts";
import {
  amounts,
  choice,
  filled,
  hidden,
  list,
  type NeededField,
  object,
  text,
  word,
} from "./field.ts";

/** No machine has more devices than this; each of them is named one by one. */
export const DEVICES = { least: 1, most: 1_024 } as const;

/** More replicas than any machine holds. */
export const REPLICAS_ON_NODE = { least: 0, most: 100_000 } as const;

export const TAINT_EFFECTS = ["no-schedule", "prefer-no-schedule"] as const;

export const DEVICE_CLASS = word("The class that workloads request, such as gpu.");
export const DEVICE_MODEL = hidden(word("The model, such as A100. Default: none."), "");

const AMOUNTS = { cpu: "CPUs, such as 8 or 7500m.", memory: "Memory, such as 32Gi." } as const;

/** The core's form; people write the devices one by one beside it, and they are added up. */
export const CAPACITY: NeededField<Amounts> = amounts("The capacity for replicas.", AMOUNTS);
export const WRITTEN_CAPACITY: NeededField<Amounts> = amounts("", { ...AMOUNTS, isInline: true });

export const TAINTS = list(
  "Taints: they repel work that does not tolerate them.",
  object<Taint>("Repels work that does not tolerate it.", {
    key: word("The key that tolerations match."),
    value: filled(text("May be empty."), ""),
    effect: hidden(
      choice(
        "no-schedule repels new work; prefer-no-schedule repels it if another node fits. Neither evicts running work: use draining.",
        TAINT_EFFECTS,
      ),
      "no-schedule",
    ),
  }),
  {},
);
