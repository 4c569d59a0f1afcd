import type { Call } from '../dependencies.ts'

/**
 * Streams `{ "<name>": [ … ] }` page by page, so that a list of any length needs the memory of one page. No page of `rest`
 * is empty. An error while streaming aborts the connection, so that a truncated list never looks complete.
 */
export function streamedList<T>(
  c: Call,
  name: string,
  first: readonly T[],
  rest: AsyncIterable<readonly T[]>,
  view: (item: T) => unknown,
): Response {
  const pages = rest[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const write = (items: readonly T[], before: string): Uint8Array =>
    encoder.encode(before + items.map((item) => JSON.stringify(view(item))).join(','))
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(write(first, `{"${name}":[`)),
    async pull(controller) {
      const page = await pages.next()
      if (page.done) {
        controller.enqueue(encoder.encode(']}'))
        controller.close()
      } else controller.enqueue(write(page.value, ','))
    },
    async cancel() {
      await pages.return?.()
    },
  })
  return c.body(stream, 200, { 'Content-Type': 'application/json' })
}
