/** Narrows Workloads, Queue, Quota and Audit down to one tenant. */
import { BERTH } from "../live/api.ts";
import type { LiveObject, ObjectList } from "../live/object-message.ts";
import { useFetched } from "../live/use-fetched.ts";
import { chooseTenant, tenantScope } from "./tenant-scope.ts";

/** A list that a person still chooses from; the search finds the others. */
const MOST = 500;

export function TenantPicker() {
  const tenants = useFetched<ObjectList<LiveObject>>(`${BERTH}/tenants?limit=${MOST}`);
  const scope = tenantScope.value;
  const known = (tenants.value?.items ?? []).map(({ metadata: { name } }) => name);
  const names = scope === "" || known.includes(scope) ? known : [scope, ...known];
  return (
    <label class="tenant-picker" title="Scopes Workloads, Queue, Quota and Audit">
      <span class="unseen">Tenant</span>
      <select
        value={scope}
        class={scope === "" ? "" : "tenant-chosen"}
        // A tenant may have been created since.
        onFocus={() => tenants.reload()}
        onChange={({ currentTarget }) => chooseTenant(currentTarget.value)}
      >
        <option value="" selected={scope === ""}>
          All tenants
        </option>
        {names.toSorted().map((name) => (
          <option key={name} value={name} selected={name === scope}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
