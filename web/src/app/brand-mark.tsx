/** The mark of the product: two stacks of different height on one quay. */
export function BrandMark() {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M7 21h18M10 21v-6h5v6M17 21V9h5v12" />
    </svg>
  );
}
