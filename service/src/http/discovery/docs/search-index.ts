import { lazy } from '../../../domain/lazy.ts'
import { yieldToEventLoop } from '../../../operations/yield-to-event-loop.ts'
import type { DocsSearch, Section } from '../../dependencies.ts'
import { memoize } from '../publish.ts'
import { Anchors, plainText } from './anchors.ts'
import { markdownOf } from './docs.ts'
import { API_PATH } from './operations.ts'
import { type DocsPage, EVERY_PAGE } from './page-list.ts'

const RESULTS_MAX = 15
const KNOWN_MAX = 500

export function docsSearch(baseUrl: string, development: boolean): DocsSearch {
  const index = memoize(() => buildIndex(baseUrl, development))
  const results = new Map<string, readonly Section[]>()
  return {
    build: async () => void (await index()),
    known: (words) => results.get(words.join(' ')),
    async find(words) {
      const found = findSections(await index(), words, RESULTS_MAX)
      const [oldest] = results.keys()
      if (results.size >= KNOWN_MAX && oldest !== undefined) results.delete(oldest)
      results.set(words.join(' '), found)
      return found
    },
  }
}

interface Index {
  readonly sections: readonly IndexedSection[]
  /** Every word of the contents, with the number of each section that has it, as often as it does. */
  readonly words: ReadonlyMap<string, readonly number[]>
}

interface IndexedSection extends Section {
  /** The words of both titles. */
  readonly titles: { readonly heading: SearchedTitle; readonly page: SearchedTitle }
}

interface SearchedTitle {
  readonly lower: string
  readonly words: readonly string[]
}

async function buildIndex(baseUrl: string, development: boolean): Promise<Index> {
  const sections: IndexedSection[] = []
  const words = new Map<string, number[]>()
  const { openApiDocument } = await import('../openapi/document.ts')
  const document = lazy(() => openApiDocument(baseUrl, development))
  for (const page of EVERY_PAGE) {
    for (const section of sectionsOf(page, await markdownOf(page, baseUrl, development, document))) {
      const number = sections.push(section) - 1
      for (const word of `${section.text} ${section.code}`.toLowerCase().match(WORD) ?? []) {
        const found = words.get(word)
        if (found === undefined) words.set(word, [number])
        else found.push(number)
      }
    }
    await yieldToEventLoop()
  }
  return { sections, words }
}

const WORD = /[\p{L}\p{N}_]+/gu

/** Splits a page at its headings, with the anchors that its HTML has. */
function sectionsOf({ path, label, source, parent }: DocsPage, markdown: string): IndexedSection[] {
  const anchors = new Anchors()
  const isGuide = 'file' in source
  return splitAtHeadings(markdown).map(({ depth, heading, body }) => {
    const { words, id } = depth < 2 ? { words: label, id: null } : anchors.next(heading)
    const page = parent === API_PATH ? `API: ${label}` : label
    const text = plainText(body.replace(CODE_BLOCK, ''))
    const code = (body.match(CODE_BLOCK) ?? []).map(plainText).join(' ')
    const titles = { heading: titleOf(words), page: titleOf(page) }
    return { path: id === null ? path : `${path}#${id}`, page, heading: words, text, code, isGuide, titles }
  })
}

const CODE_BLOCK = /^```.*?^```$/gms

interface Part {
  readonly depth: number
  readonly heading: string
  readonly body: string
}

function splitAtHeadings(markdown: string): Part[] {
  const parts: { depth: number; heading: string; body: string }[] = []
  let isCode = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, marks = '', heading = ''] = (!isCode && /^(#{1,4}) (.+)$/.exec(line)) || []
    if (marks !== '') parts.push({ depth: marks.length, heading, body: '' })
    else {
      const part = parts.at(-1)
      if (part !== undefined) part.body += `${line}\n`
    }
  }
  return parts
}

export const QUERY_MAX_CHARACTERS = 100
const WORDS_MAX = 8

/** The words of a query, in lower case. */
export const wordsOf = (query: string): string[] =>
  [...new Set(query.slice(0, QUERY_MAX_CHARACTERS).toLowerCase().match(WORD) ?? [])].slice(0, WORDS_MAX)

/** Sections with more of the words come first, then those with words in their titles. */
function findSections(index: Index, words: readonly string[], limit: number): Section[] {
  const scores = words.map((word) => scoresOf(index, word))
  const scored = index.sections.map((section, number) => {
    const matched = scores.flatMap((each) => each[number] || [])
    return { section, matched: matched.length, score: matched.reduce((sum, score) => sum + score, +section.isGuide) }
  })
  return scored
    .filter(({ matched }) => matched > 0)
    .sort((a, b) => b.matched - a.matched || b.score - a.score)
    .slice(0, limit)
    .map(({ section }) => section)
}

const OCCURRENCES_MAX = 4
/** A shorter word is inside of almost every other one. */
const INSIDE_MIN = 3

/** How well each section matches the word; 0: not at all. */
function scoresOf({ sections, words }: Index, word: string): Uint8Array {
  const scores = new Uint8Array(sections.length)
  const count = (found: readonly number[] = []): void => {
    for (const number of found) scores[number] = Math.min((scores[number] ?? 0) + 1, OCCURRENCES_MAX)
  }
  if (word.length < INSIDE_MIN) count(words.get(word))
  else for (const [each, found] of words) if (each.includes(word)) count(found)
  for (const [number, { titles }] of sections.entries()) {
    scores[number] = (scores[number] ?? 0) + inTitle(titles.heading, word) * 3 + inTitle(titles.page, word) * 2
  }
  return scores
}

/** 3: a whole word, 2: the start of one, 1: a part. */
function inTitle({ lower, words }: SearchedTitle, word: string): number {
  if (!lower.includes(word)) return 0
  if (words.includes(word)) return 3
  return words.some((each) => each.startsWith(word)) ? 2 : 1
}

/** `camelCase` is several words. */
function titleOf(title: string): SearchedTitle {
  const lower = title.toLowerCase()
  const words = [lower, title.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()].flatMap(
    (each) => each.match(WORD) ?? [],
  )
  return { lower, words }
}
