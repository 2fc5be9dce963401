import { VaultError } from "../errors.ts";

/**
 * The page of a list after the item with a name.
 *
 * @throws VaultError INVALID_CURSOR where the list has no such item.
 */
export function continueAfter<Item>(
  items: readonly Item[],
  after: string | undefined,
  limit: number,
  nameOf: (item: Item) => string,
): { readonly page: readonly Item[]; readonly more: boolean } {
  const start = after === undefined ? 0 : items.findIndex((item) => nameOf(item) === after) + 1;
  if (after !== undefined && start === 0) {
    throw new VaultError("INVALID_CURSOR", { reason: "it is none of this list" });
  }
  return { page: items.slice(start, start + limit), more: start + limit < items.length };
}
