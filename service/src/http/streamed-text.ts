import type { Call } from './dependencies.ts'

/**
 * Streams text chunk by chunk, so that a response of any length needs the memory of one chunk. An error while streaming
 * aborts the connection, so that a truncated response never looks complete.
 */
export function streamedText(c: Call, type: string, chunks: AsyncIterable<string>): Response {
  const pages = chunks[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await pages.next()
      if (chunk.done) {
        controller.close()
      } else {
        controller.enqueue(encoder.encode(chunk.value))
      }
    },
    async cancel() {
      await pages.return?.()
    },
  })
  return c.body(stream, 200, { 'Content-Type': type })
}
