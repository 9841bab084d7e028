/** Every checker that looks across planes, fresh for one run. */
import { ConservationChecker } from "./conservation.ts";
import { ExchangeChecker } from "./exchange.ts";
import { LearningChecker } from "./learning.ts";
import type { RegionalChecker } from "./realm.ts";
import { SettlingChecker } from "./settling.ts";
import { SpendingChecker } from "./spending.ts";

export const createRegionalCheckers = (): readonly RegionalChecker[] => [
  new ConservationChecker(),
  new SpendingChecker(),
  new LearningChecker(),
  new ExchangeChecker(),
  new SettlingChecker(),
];
