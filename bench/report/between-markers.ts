import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Puts a text between two markers of a document in docs/. What stands around them is written by people. */
export function writeBetween(document: string, [from, to]: readonly [string, string], text: string): void {
  const file = path.resolve(import.meta.dirname, '../../docs', document)
  const before = readFileSync(file, 'utf8')
  const [begin, end] = [before.indexOf(from), before.indexOf(to)]
  if (begin < 0 || end < begin) throw new Error(`docs/${document} has lost ${from}`)
  writeFileSync(file, `${before.slice(0, begin + from.length)}\n${text}\n${before.slice(end)}`)
}
