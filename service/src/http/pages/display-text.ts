import { whenFirstUsed } from './when-first-used.ts'

// White space is spared here and collapsed below. The rest shows nothing and can only mislead: controls, direction
// marks that make `gro.knab` read as `bank.org`, zero-width joints that make two different names look the same.
const INVISIBLE = /(?![\t\n\v\f\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

const graphemes = whenFirstUsed(() => new Intl.Segmenter('und', { granularity: 'grapheme' }))

/**
 * Text from outside, made fit to stand in a sentence of ours: one line, nothing hidden in it, at most `max` characters.
 * It does not escape; the template does.
 */
export function displayText(text: string, max = 80): string {
  // Composed after stripping, since a stripped joint may have kept a letter and its accent apart.
  const clean = text.toWellFormed().replace(INVISIBLE, '').replace(/\s+/g, ' ').trim().normalize('NFC')
  if (clean.length <= max) return clean
  return `${shorten(clean, max - 1).trimEnd()}…`
}

function shorten(text: string, length: number): string {
  let kept = ''
  for (const { segment } of graphemes().segment(text)) {
    if (kept.length + segment.length > length) break
    kept += segment
  }
  return kept
}
