import { Anchors } from '../anchors.ts'
import { API_PATH } from '../api/groups.ts'
import { markdownOf } from '../docs.ts'
import { type DocsPage, EVERY_PAGE } from '../page-list.ts'
import { plainText } from '../plain-text.ts'

/** A part of a page: its title and introduction, or a heading and what follows it. */
export interface IndexedSection {
  readonly path: string
  /** The label of its page. */
  readonly page: string
  readonly heading: string
  readonly text: string
  readonly code: string
  /** Guides explain, so they come before the reference when both match alike. */
  readonly isGuide: boolean
}

/** Every section of every page. */
export const buildIndex = async (baseUrl: string, development: boolean): Promise<readonly IndexedSection[]> =>
  (
    await Promise.all(EVERY_PAGE.map(async (page) => sectionsOf(page, await markdownOf(page, baseUrl, development))))
  ).flat()

/** Splits a page at its headings, with the anchors that its HTML has. */
export function sectionsOf({ path, label, source, parent }: DocsPage, markdown: string): IndexedSection[] {
  const anchors = new Anchors()
  const isGuide = 'file' in source
  return splitAtHeadings(markdown).map(({ depth, heading, body }) => {
    const { words, id } = depth < 2 ? { words: label, id: null } : anchors.next(heading)
    return {
      path: id === null ? path : `${path}#${id}`,
      page: parent === API_PATH ? `API: ${label}` : label,
      heading: words,
      text: plainText(body.replace(CODE_BLOCK, '')),
      code: (body.match(CODE_BLOCK) ?? []).map(plainText).join(' '),
      isGuide,
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
