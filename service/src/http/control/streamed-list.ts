import type { Call } from '../dependencies.ts'

/**
 * `{ "<name>": [ … ] }` written page by page as it is read, so that a list of any length needs the memory of one page.
 * No page of `rest` is empty. A failure half way cuts the connection: a list must never look complete when it is not.
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
