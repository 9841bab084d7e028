/**
 * The tenant whose things the reader wants to see. It is in the address, so that a link shows the
 * same, and this browser remembers it for the next page.
 */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { changeQuery, type PageName } from "./route.ts";
import { navigate, route, search, setQuery } from "./router.ts";

const KEY = "berth-tenant";

/** Pages whose rows belong to tenants. */
const SCOPED: ReadonlySet<PageName | undefined> = new Set([
  "workloads",
  "queue",
  "quota",
  "promises",
  "audit",
]);

const kept = signal(typeof localStorage === "undefined" ? "" : (localStorage.getItem(KEY) ?? ""));

/** Of one workload, too, the address has the tenant already. */
const isScoped = computed(() => SCOPED.has(route.value.page) && route.value.rest.length === 0);
const inAddress = computed(() => new URLSearchParams(search.value).get("tenant") ?? "");

/** "" for all tenants. */
export const tenantScope: ReadonlySignal<string> = computed(() =>
  isScoped.value && inAddress.value !== "" ? inAddress.value : kept.value,
);

export const isOfScope = (tenant: string): boolean =>
  tenantScope.value === "" || tenant === tenantScope.value;

export function chooseTenant(tenant: string): void {
  keep(tenant);
  if (isScoped.peek()) setQuery({ tenant });
}

/** Remembers what an address says, and says in an address what was remembered. */
export function startTenantScope(): () => void {
  return effect(() => {
    if (!isScoped.value) return;
    if (inAddress.value !== "") keep(inAddress.value);
    else if (kept.value !== "") {
      navigate(location.pathname + changeQuery(search.value, { tenant: kept.value }), {
        replace: true,
      });
    }
  });
}

function keep(tenant: string): void {
  kept.value = tenant;
  if (tenant === "") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, tenant);
}
