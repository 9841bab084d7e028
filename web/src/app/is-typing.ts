/** Whether the reader types somewhere: nothing that opens meanwhile takes the focus away. */
export const isTyping = (): boolean =>
  document.activeElement?.matches("input, textarea, select") ?? false;
