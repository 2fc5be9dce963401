/**
 * The same stream of events for a client that reads them. One that does not, while its connection stays open, gets an
 * error when `mostBytes` wait for it: they would gather without end.
 */
export function boundEvents(
  events: ReadableStream<Uint8Array>,
  mostBytes: number,
): ReadableStream<Uint8Array> {
  const reader = events.getReader();
  async function pass(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (let next = await reader.read(); next.value !== undefined; next = await reader.read()) {
      controller.enqueue(next.value);
      const waiting = -(controller.desiredSize ?? 0);
      if (waiting > mostBytes) throw new Error(`${waiting} bytes of events were not read`);
    }
    controller.close();
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        pass(controller).catch((error) => {
          controller.error(error);
          reader.cancel(error).catch(() => {});
        });
      },
      cancel: (reason) => reader.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
}
