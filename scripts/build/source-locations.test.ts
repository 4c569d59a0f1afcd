import assert from 'node:assert/strict'
import { SourceMap } from 'node:module'
import { test } from 'node:test'
import { build } from 'esbuild'
import { locationFinder } from './source-locations.ts'

test('a position of a bundle leads to the file, line and column that SourceMap of Node finds', async () => {
  const { outputFiles } = await build({
    entryPoints: [import.meta.filename],
    bundle: true,
    minify: true,
    write: false,
    outdir: 'out',
    sourcemap: 'linked',
    format: 'esm',
    packages: 'external',
    platform: 'node',
  })
  const map = JSON.parse(outputFiles.find(({ path }) => path.endsWith('.map'))?.text ?? '')
  const code = outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? ''
  const find = locationFinder(map)
  const node = new SourceMap(map)

  let found = 0
  for (const [index, text] of code.split('\n').entries()) {
    for (let column = 1; column <= text.length; column++) {
      const entry = node.findEntry(index, column - 1)
      // Where a line has no mapping before the column, SourceMap returns the last one of an earlier line.
      const expected =
        'originalSource' in entry && entry.generatedLine === index
          ? {
              source: entry.originalSource,
              line: entry.originalLine + 1,
              column: entry.originalColumn + 1,
            }
          : null
      assert.deepEqual(find(index + 1, column), expected, `line ${index + 1}, column ${column}`)
      if (expected) {
        found += 1
      }
    }
  }
  assert.ok(found > 1_000, `${found} positions`)
})

test('code without a source, a line without mappings and a position after the end lead to no file', () => {
  // Line 1: column 1 is of a.ts, column 5 of no source. Line 2: nothing. Line 3: of a.ts.
  const find = locationFinder({ sources: ['a.ts'], mappings: 'AAAA,I;;AACA' })
  assert.deepEqual(find(1, 4), { source: 'a.ts', line: 1, column: 1 })
  assert.equal(find(1, 5), null)
  assert.equal(find(2, 1), null)
  assert.deepEqual(find(3, 90), { source: 'a.ts', line: 2, column: 1 })
  assert.equal(find(4, 1), null)
})
