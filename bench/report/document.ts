import { writeBetween } from './between-markers.ts'
import { asMarkdown, type Results } from './results.ts'

/** Writes the generated part of docs/performance.md. */
export function writeDocument(results: Results): void {
  const image = '![Contenders compared to the echo](../bench/results/peers.svg)'
  const text = `${image}\n\n${asMarkdown(results).trimEnd()}`
  writeBetween('performance.md', ['<!-- bench: begin -->', '<!-- bench: end -->'], text)
}
