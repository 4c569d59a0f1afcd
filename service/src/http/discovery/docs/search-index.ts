import language from '../../../../content/docs/search.json' with { type: 'json' }
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
      if (results.size >= KNOWN_MAX && oldest !== undefined) {
        results.delete(oldest)
      }
      results.set(words.join(' '), found)
      return found
    },
  }
}

interface Index {
  readonly sections: readonly IndexedSection[]
  readonly terms: readonly Term[]
}

interface IndexedSection extends Section {
  /** The title as it is compared with a whole query. */
  readonly title: string
  /** With the words by which it is known elsewhere. */
  readonly titles: string
}

/** A stem, and how much each section has of it. */
interface Term {
  readonly stem: string
  readonly weights: Map<number, number>
  /** A bit for each letter. */
  readonly letters: number
}

/** What an occurrence counts: in the title of the section, in the title of its page, in the text. */
const WEIGHTS = { heading: 8, page: 5, text: 1 } as const
/** More of them don't say more about a section. */
const OCCURRENCES_MAX = 4

async function buildIndex(baseUrl: string, development: boolean): Promise<Index> {
  const sections: IndexedSection[] = []
  const terms = new Map<string, Term>()
  const { openApiDocument } = await import('../openapi/document.ts')
  const document = lazy(() => openApiDocument(baseUrl, development))
  for (const page of EVERY_PAGE) {
    for (const section of sectionsOf(
      page,
      await markdownOf(page, baseUrl, development, document),
    )) {
      const number = sections.push(section) - 1
      const { titles, text, code } = section
      const counted = Object.entries(Object.groupBy(stemsOf(`${text} ${code}`), (stem) => stem))
      for (const [stem, found = []] of counted) {
        add(terms, stem, number, Math.min(found.length, OCCURRENCES_MAX))
      }
      for (const stem of new Set(stemsOf(titles))) {
        add(terms, stem, number, WEIGHTS.heading)
      }
      for (const stem of new Set(stemsOf(section.page))) {
        add(terms, stem, number, WEIGHTS.page)
      }
    }
    await yieldToEventLoop()
  }
  return { sections, terms: [...terms.values()] }
}

function add(terms: Map<string, Term>, stem: string, number: number, weight: number): void {
  const term = terms.get(stem) ?? {
    stem,
    weights: new Map<number, number>(),
    letters: lettersOf(stem),
  }
  term.weights.set(number, (term.weights.get(number) ?? 0) + weight)
  terms.set(stem, term)
}

const WORD = /[\p{L}\p{N}_]+/gu

/** `invalidRedirectUri` and `redirect_uri` are also their parts, and `Next.js` is `nextjs`, too. */
const stemsOf = (text: string): string[] =>
  [
    text,
    text.replace(/([a-z])([A-Z])|_/g, '$1 $2'),
    ...(text.match(/\b\w+\.js\b/gi) ?? []).map((name) => name.replace('.', '')),
  ]
    .flatMap((each) => each.toLowerCase().match(WORD) ?? [])
    .map(stemOf)

/** Without the endings of plurals and verbs: `signing`, `signs` and `signed` are `sign`. */
export const stemOf = (word: string): string =>
  word.length < 5
    ? word.replace(/(?<=\w{3})s$/, '')
    : word
        .replace(/(?<=[^s])s$/, '')
        .replace(/(?<=\w{3})ie$/, 'y')
        .replace(/(?<=\w{3})(ation|ing|ed|e)$/, '')
        .replace(/([bdglmnprt])\1$/, '$1')

const lettersOf = (word: string): number =>
  [...word].reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) % 31)), 0)

/** Splits a page at its headings, with the anchors that its HTML has. */
function sectionsOf(
  { path, label, summary, source, parent }: DocsPage,
  markdown: string,
): IndexedSection[] {
  const anchors = new Anchors()
  const isGuide = 'file' in source
  return splitAtHeadings(markdown).map(({ depth, heading, body }) => {
    const { words, id } = depth < 2 ? { words: label, id: null } : anchors.next(heading)
    // The title of the page that people see instead of the code.
    const [, shownAs] = /^\*\*Page:\*\* “(.+)”$/m.exec(body) ?? []
    const page = parent === API_PATH ? `API: ${label}` : label
    const text = `${id === null ? `${summary} ` : ''}${plainText(body.replace(CODE_BLOCK, ''))}`
    const code = (body.match(CODE_BLOCK) ?? []).map(plainText).join(' ')
    return {
      path: id === null ? path : `${path}#${id}`,
      page,
      heading: words,
      text,
      code,
      isGuide,
      title: phraseOf(shownAs ?? words),
      titles: `${words} ${shownAs ?? ''}`,
    }
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
    if (line.startsWith('```')) {
      isCode = !isCode
    }
    const [, marks = '', heading = ''] = (!isCode && /^(#{1,4}) (.+)$/.exec(line)) || []
    if (marks !== '') {
      parts.push({ depth: marks.length, heading, body: '' })
    } else {
      const part = parts.at(-1)
      if (part !== undefined) {
        part.body += `${line}\n`
      }
    }
  }
  return parts
}

export const QUERY_MAX_CHARACTERS = 100
const WORDS_MAX = 8

/** The words of a query, in lower case, without those that every page has, and with phrases as the documentation has them. */
export function wordsOf(query: string): string[] {
  const all =
    query
      .slice(0, QUERY_MAX_CHARACTERS)
      .toLowerCase()
      .replace(/\.js\b/g, 'js')
      .match(WORD) ?? []
  const telling = all.filter((word) => !IGNORED.has(word))
  const words = new Set(telling.length === 0 ? all : telling)
  for (const [phrase, others] of Object.entries(language.phrases)) {
    const parts = phrase.split(' ')
    if (!parts.every((part) => words.has(part))) {
      continue
    }
    for (const part of parts) {
      words.delete(part)
    }
    for (const other of others.split(' ')) {
      words.add(other)
    }
  }
  return [...words].slice(0, WORDS_MAX)
}

const IGNORED = new Set(language.ignored.split(' '))
const SAME = new Map(
  language.same.map(([word = '', ...others]) => [stemOf(word), others.map(stemOf)]),
)

const phraseOf = (title: string): string => wordsOf(title).map(stemOf).join(' ')

/** A section that is called like the query comes first, then sections by how much they have of the rarest words. */
function findSections(index: Index, words: readonly string[], limit: number): Section[] {
  const { sections } = index
  const scores = new Float64Array(sections.length)
  const matched = new Uint8Array(sections.length)
  let corrections = 0
  for (const word of words) {
    const stem = stemOf(word)
    let found = scoresOf(index, stem)
    if (found === null && corrections++ < CORRECTIONS_MAX) {
      found = scoresOf(index, stem, nearestTerms(index, stem))
    }
    if (found === null) {
      continue
    }
    const rarity = Math.log(1 + sections.length / (1 + found.count))
    for (const [number, score] of found.scores.entries()) {
      if (score === 0) {
        continue
      }
      scores[number] = (scores[number] ?? 0) + Math.sqrt(score) * rarity
      matched[number] = (matched[number] ?? 0) + 1
    }
  }
  const phrase = words.map(stemOf).join(' ')
  const ranked = sections.flatMap((section, number) => {
    const share = (matched[number] ?? 0) / words.length
    if (share === 0) {
      return []
    }
    const named = section.title === phrase ? 4 : section.title.startsWith(`${phrase} `) ? 1.5 : 1
    return {
      section,
      rank: (scores[number] ?? 0) * share ** 1.5 * named * (section.isGuide ? 1.15 : 1),
    }
  })
  return ranked
    .sort((a, b) => b.rank - a.rank)
    .slice(0, limit)
    .map(({ section }) => section)
}

/** Comparing a word with all terms is the dearest part of a search. */
const CORRECTIONS_MAX = 3

/** How well each section matches a word: by itself, by a part of a longer one, by a synonym or by the terms that it may mean. null: no section does. */
function scoresOf({ sections, terms }: Index, stem: string, meant: readonly Term[] = []) {
  const scores = new Float32Array(sections.length)
  let count = 0
  const add = ({ weights }: Term, share: number): void => {
    for (const [number, weight] of weights) {
      if (scores[number] === 0) {
        count++
      }
      scores[number] = Math.max(scores[number] ?? 0, weight * share)
    }
  }
  const same = SAME.get(stem) ?? []
  for (const term of terms) {
    if (term.stem === stem) {
      add(term, 1)
    } else if (same.includes(term.stem)) {
      add(term, 0.7)
    } else if (stem.length > 2 && term.stem.includes(stem)) {
      add(term, term.stem.startsWith(stem) ? 0.5 : 0.25)
    }
  }
  for (const term of meant) {
    add(term, 0.5)
  }
  return count === 0 ? null : { scores, count }
}

/** The terms with the fewest typing errors: one in words of four letters, two in longer ones. */
function nearestTerms({ terms }: Index, stem: string): Term[] {
  const most = stem.length < 4 ? 0 : stem.length < 7 ? 1 : 2
  const letters = lettersOf(stem)
  const near: { readonly term: Term; readonly errors: number }[] = []
  for (const term of terms) {
    // An error changes two letters at most: this leaves out almost every term without comparing it.
    if (
      Math.abs(term.stem.length - stem.length) > most ||
      bitsOf(term.letters ^ letters) > 2 * most
    ) {
      continue
    }
    const errors = errorsBetween(term.stem, stem)
    if (errors <= most) {
      near.push({ term, errors })
    }
  }
  const fewest = Math.min(...near.map(({ errors }) => errors))
  return near.filter(({ errors }) => errors === fewest).map(({ term }) => term)
}

function bitsOf(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) {
    count++
  }
  return count
}

/** Letters that are missing, added, wrong or swapped with the next (optimal string alignment). */
function errorsBetween(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const wrong = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity
      next[j] = Math.min(wrong, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
    }
    ;[before, row] = [row, next]
  }
  return row[b.length] ?? 0
}
