/** The amounts that checkers compare, listed apart from the list that the checked code uses. */
import type { AmountName } from "../../../core/model/amounts.ts";

export const AMOUNT_NAMES: readonly AmountName[] = ["cpuMillis", "memoryMiB", "deviceMillis"];
