/**
 * Shows the page that the address names, once it is loaded. A page that fails takes nothing else
 * with it.
 */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { EmptyState } from "../parts/empty-state.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { type Page, type PageComponent, PAGES } from "./pages.ts";
import { LANDING, hrefOf } from "./route.ts";
import { route } from "./router.ts";

export function PageOutlet() {
  const { page: name, rest } = route.value;
  const page = PAGES.find((candidate) => candidate.name === name);
  return page === undefined ? (
    <NoSuchPage />
  ) : (
    <LoadedPage key={page.name} page={page} rest={rest} />
  );
}

const loaded = new Map<Page, PageComponent>();

function LoadedPage({ page, rest }: { readonly page: Page; readonly rest: readonly string[] }) {
  const [error, again] = useErrorBoundary((cause: unknown) => console.error(cause));
  const component = useSignal(loaded.get(page));
  const isMissing = useSignal(false);
  useEffect(() => {
    if (component.peek() !== undefined) return;
    void loadInto(page, component, isMissing);
  }, [page]);
  if (error !== undefined) return <BrokenPage page={page} error={error} again={again} />;
  if (isMissing.value) return <UnloadedPage page={page} />;
  const Component = component.value;
  if (Component !== undefined) return <Component rest={rest} />;
  return (
    <>
      <PageHeader title={page.label} />
      <Skeleton rows={8} label={`Loading ${page.label}`} />
    </>
  );
}

async function loadInto(
  page: Page,
  component: Signal<PageComponent | undefined>,
  isMissing: Signal<boolean>,
): Promise<void> {
  try {
    const ready = await page.load();
    loaded.set(page, ready);
    component.value = ready;
  } catch {
    isMissing.value = true;
  }
}

function NoSuchPage() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState title="This page does not exist.">
        <a href={hrefOf(LANDING)}>Go to the fleet.</a>
      </EmptyState>
    </>
  );
}

/**
 * The plane was replaced by a newer one while this page was open: its files have other names now.
 */
function UnloadedPage({ page }: { readonly page: Page }) {
  return (
    <>
      <PageHeader title={page.label} />
      <EmptyState title="Cannot load this page.">
        <p>The plane is unreachable, or its dashboard is newer than this one.</p>
        <button type="button" class="button button-main" onClick={() => location.reload()}>
          Reload the dashboard
        </button>
      </EmptyState>
    </>
  );
}

function BrokenPage(of: {
  readonly page: Page;
  readonly error: unknown;
  readonly again: () => void;
}) {
  return (
    <>
      <PageHeader title={of.page.label} />
      <EmptyState title="This page failed.">
        <p>This is a bug in the dashboard. The other pages still work.</p>
        <pre class="message">{String(of.error)}</pre>
        <button type="button" class="button button-main" onClick={of.again}>
          Retry
        </button>
      </EmptyState>
    </>
  );
}
