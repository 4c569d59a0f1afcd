import { lazy } from '../../domain/lazy.ts'

// White space is excluded here and collapsed below. The other characters are invisible and only mislead: controls,
// direction marks that show `gro.knab` as `bank.org`, zero-width joiners that make two different names look equal.
const INVISIBLE = /(?![\t\n\v\f\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

const graphemes = lazy(() => new Intl.Segmenter('und', { granularity: 'grapheme' }))

/**
 * Makes untrusted text safe to show within a sentence: one line, no invisible characters, at most `max` characters.
 * It does not escape; the template does.
 */
export function displayText(text: string, max = 80): string {
  // NFC comes after stripping: a stripped joiner may have separated a letter from its accent.
  const clean = text
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(/\s+/g, ' ')
    .trim()
    .normalize('NFC')
  if (clean.length <= max) {
    return clean
  }
  return `${truncate(clean, max - 1).trimEnd()}…`
}

function truncate(text: string, length: number): string {
  let kept = ''
  for (const { segment } of graphemes().segment(text)) {
    if (kept.length + segment.length > length) {
      break
    }
    kept += segment
  }
  return kept
}

/**
 * The `max` for host names, which have at most 253 characters and a port. They are never truncated: the end of a host
 * name says who controls it.
 */
export const HOST_MAX = 300

const numbers = lazy(() => new Intl.NumberFormat('en'))

/** `12,345` */
export const formatNumber = (value: number): string => numbers().format(value)

const compactNumbers = lazy(() => new Intl.NumberFormat('en', { notation: 'compact' }))

/** `12K`, for the scale of a chart. */
export const formatCompact = (value: number): string => compactNumbers().format(value)

/** `1 person`, `12,345 people` */
export const formatCount = (count: number, singular: string, plural: string): string =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`

/** One or two letters instead of a profile picture, which would be a request to another site. */
export function initials(name: string): string {
  const words = name.split(' ').filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const first = words[0] ?? ''
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  // Arabic letters would join, and read as a word (U+200C keeps them apart).
  const between = /\p{Script=Arabic}/u.test(first) ? '\u200c' : ''
  const letters = [first, last].map((word) => ([...word][0] ?? '').toUpperCase())
  return letters.filter((letter) => letter !== '').join(between)
}

/** The display name of an OAuth client. Clients choose their own name, and it may be empty. */
export const clientLabel = (name: string): string => displayText(name) || 'an unnamed application'
