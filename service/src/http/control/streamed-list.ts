import type { Call } from '../dependencies.ts'
import { streamedText } from './streamed-text.ts'

/** Streams `{ "<name>": [ … ] }` page by page. No page of `rest` is empty. */
export function streamedList<T>(
  c: Call,
  name: string,
  first: readonly T[],
  rest: AsyncIterable<readonly T[]>,
  view: (item: T) => unknown,
): Response {
  const write = (items: readonly T[]): string => items.map((item) => JSON.stringify(view(item))).join(',')

  async function* chunks(): AsyncGenerator<string> {
    yield `{"${name}":[${write(first)}`
    for await (const page of rest) yield `,${write(page)}`
    yield ']}'
  }
  return streamedText(c, 'application/json', chunks())
}
