import assert from 'node:assert/strict'
import { cpSync, existsSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../support/postgres/engines.ts'
import { build } from '../support/process/entry-points.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const SOURCES = [
  'package.json',
  'package-lock.json',
  'scripts',
  'contract',
  'examples/recipes',
  'service/package.json',
  'service/bin',
  'service/content',
  'service/src',
]

/** A copy of the sources and its build. */
async function builtCopy(): Promise<{ root: string; dist: string }> {
  const root = await freshFolder()
  for (const name of SOURCES) cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  assert.match(await build(root), /^Built service\/dist/)
  return { root, dist: path.join(root, 'service/dist') }
}

test('a build is made again only when a source changes, and keeps the files that a running service may still import', async () => {
  const { root, dist } = await builtCopy()
  const markdown = (): string[] => globSync('markdown-*.js', { cwd: dist }).sort()
  const source = path.join(root, 'service/src/http/discovery/docs/markdown.ts')
  const change = (word: string): void =>
    writeFileSync(source, `${readFileSync(source, 'utf8')}\nexport const ${word} = process.env.${word}\n`)

  const [first = ''] = markdown()
  assert.equal(await build(root), '', 'nothing has changed')

  change('ONE')
  await build(root)
  assert.equal(markdown().length, 2)
  assert.ok(markdown().includes(first), 'a service of the first build can still import it')
  change('TWO')
  await build(root)
  assert.equal(markdown().length, 2)
  assert.ok(!markdown().includes(first))
  assert.ok(existsSync(path.join(dist, 'THIRD-PARTY-LICENSES.txt')))
})
