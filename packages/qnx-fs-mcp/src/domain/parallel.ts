/** Maps in the order of `items`, at most `limit` at a time; ends at the first failure, starting nothing more. */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  let failed = false;
  async function work(): Promise<void> {
    while (next < items.length && !failed) {
      const index = next++;
      try {
        results[index] = await map(items[index] as Item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
