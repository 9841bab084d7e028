/**
 * Which incarnation a plane is. A restored log goes on a million epochs later, so its epoch tells
 * how often it was restored, whatever kind of store it is in.
 */
import type { Epoch } from "../../core/model/ids.ts";
import { EPOCH_STEP } from "../backup/restored-log.ts";

export const incarnationAfter = (epoch: Epoch): number => 1 + Math.floor(epoch / EPOCH_STEP);
