import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { APPS, BROWSER_LIBRARY, OPENID_LIBRARIES } from './interop/openid-libraries.ts'

const PAGE = join(import.meta.dirname, '../service/content/docs/openid.md')

test('/docs/openid shows 4 to 9 lines of each tested app, and no other', async () => {
  const page = await readFile(PAGE, 'utf8')
  const [, libraries = ''] = page.split('\n## Libraries\n')
  const [, ...sections] = libraries.split('\n### ')
  const titles: string[] = []
  for (const section of sections) {
    const [title = ''] = section.split('\n')
    titles.push(title)
    const library = [...OPENID_LIBRARIES, BROWSER_LIBRARY].find((each) => each.title === title)
    assert.ok(library !== undefined, `no test of ${title}`)

    const [, block = ''] = /^```\w+\n(.*?)^```$/ms.exec(section) ?? []
    const lines = withoutIndentation(block)
    assert.ok(lines.length >= 4 && lines.length <= 9, `${title}: ${lines.length} lines`)
    const source = withoutIndentation(await readFile(join(APPS, library.file), 'utf8'))
    assert.ok(source.join('\n').includes(lines.join('\n')), `${title}: not in ${library.file}`)
  }
  const tested = [...OPENID_LIBRARIES, BROWSER_LIBRARY].map(({ title }) => title)
  assert.deepEqual(titles.sort(), tested.sort())
})

const withoutIndentation = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimStart())
