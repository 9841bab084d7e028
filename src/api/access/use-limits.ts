/** How much a plane remembers of which rights its callers use. */
import type { Limit } from "../../core/model/limits/limit.ts";

export const USE_LIMITS = {
  usesPerCaller: {
    value: 300,
    unit: "count",
    of: "rights that a plane remembers of one caller and day: a verb, a resource and a namespace each",
    beyond: "further rights of that caller and day are not remembered",
    why: "three verbs on thirty resources of three tenants",
  },
  usesPerDay: {
    value: 20_000,
    unit: "count",
    of: "rights that a plane remembers of all callers and one day",
    beyond: "the caller with the most loses its oldest",
    why: "sixty callers with their full share, and three megabytes",
  },
  useNames: {
    value: 8,
    unit: "count",
    of: "names of objects that a plane remembers of one such right",
    beyond: "requests for other names are counted and not named",
    why: "a role that names objects names a few",
  },
  useDays: {
    value: 31,
    unit: "count",
    of: "days of which a plane remembers the rights that were used",
    beyond: "the file of the oldest day is dropped",
    why: "work that runs once a month",
  },
} as const satisfies Readonly<Record<string, Limit>>;
