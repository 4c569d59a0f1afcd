import type { Section } from '../../dependencies.ts'
import { Anchors, plainText } from './anchors.ts'
import { API_PATH } from './operations.ts'
import type { DocsPage } from './page-list.ts'

/** A section as it is searched. */
export interface SearchedSection extends Section {
  /** The heading that people see instead of the code of an error. */
  readonly shownAs: string
}

const CODE_BLOCK = /^```.*?^```$/gms

/** Splits a page at its headings, with the anchors that its HTML has. */
export function sectionsOf(
  { path, label, summary, source, parent }: DocsPage,
  markdown: string,
): SearchedSection[] {
  const anchors = new Anchors()
  const page = parent === API_PATH ? `API: ${label}` : label
  const isGuide = 'file' in source

  return splitAtHeadings(markdown).map(({ depth, heading, body }) => {
    const [, shownAs = ''] = /^\*\*Page:\*\* “(.+)”$/m.exec(body) ?? []
    const text = plainText(body.replace(CODE_BLOCK, ''))
    const code = (body.match(CODE_BLOCK) ?? []).map(plainText).join(' ')

    if (depth < 2) {
      return { path, page, heading: label, shownAs, text: `${summary} ${text}`, code, isGuide }
    }
    const { words, id } = anchors.next(heading)
    return { path: `${path}#${id}`, page, heading: words, shownAs, text, code, isGuide }
  })
}

interface Part {
  readonly depth: number
  readonly heading: string
  body: string
}

function splitAtHeadings(markdown: string): Part[] {
  const parts: Part[] = []
  let isCode = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) {
      isCode = !isCode
    }

    const heading = isCode ? null : /^(#{1,4}) (.+)$/.exec(line)
    if (heading !== null) {
      const [, marks = '', words = ''] = heading
      parts.push({ depth: marks.length, heading: words, body: '' })
      continue
    }

    const part = parts.at(-1)
    if (part !== undefined) {
      part.body += `${line}\n`
    }
  }
  return parts
}
