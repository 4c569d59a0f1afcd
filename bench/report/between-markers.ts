import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Replaces the text between two markers of a document in docs/. The text around them is written by hand. */
export function writeBetween(document: string, [from, to]: readonly [string, string], text: string): void {
  const file = path.resolve(import.meta.dirname, '../../docs', document)
  const before = readFileSync(file, 'utf8')
  const [begin, end] = [before.indexOf(from), before.indexOf(to)]
  if (begin < 0 || end < begin) throw new Error(`docs/${document} has no marker ${from}`)
  writeFileSync(file, `${before.slice(0, begin + from.length)}\n${text}\n${before.slice(end)}`)
}
