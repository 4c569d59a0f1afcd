import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../support/postgres/engines.ts'
import { run } from '../support/process/run.ts'
import { long } from '../support/tags.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')

/** A clone of the last commit with the installed packages. */
async function clone(): Promise<string> {
  const folder = path.join(await freshFolder(), 'clone')
  await run('git', ['clone', '--quiet', '--shared', ROOT, folder])
  await run('ln', ['-s', path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules')])
  await run('/bin/sh', ['-c', 'echo /node_modules >>.git/info/exclude'], { cwd: folder })
  return folder
}

const release = (cwd: string, ...args: string[]): Promise<string> =>
  run(process.execPath, ['scripts/release.ts', ...args], { cwd })

test('a release refuses a tree with changes and a version without a section in the changelog', {
  skip: long,
}, async () => {
  const cwd = await clone()
  await assert.rejects(release(cwd, '9.9.9', '--dry-run'), /no section "## 9\.9\.9, unreleased"/)
  await assert.rejects(release(cwd, 'next', '--dry-run'), /next is not a version/)
  await run('/bin/sh', ['-c', 'echo >>README.md'], { cwd })
  await assert.rejects(release(cwd, '--dry-run'), /The tree has changes/)
})

test('a dry run of a release packs everything with an SBOM, results of the workshop and checksums, names the next steps, and changes nothing', {
  skip: long,
}, async () => {
  const cwd = await clone()
  mkdirSync(path.join(cwd, 'workshop/results'))
  writeFileSync(path.join(cwd, 'workshop/results/nightly.md'), 'the last nightly run')
  const output = await release(cwd, '--dry-run')
  assert.equal(await run('git', ['status', '--porcelain'], { cwd }), '')
  assert.match(output, /git tag --sign v/)
  const { version } = JSON.parse(readFileSync(path.join(cwd, 'package.json'), 'utf8')) as {
    version: string
  }
  const folder = path.join(cwd, 'dist', `release-${version}`)
  const binary = `gatehouse-${version}-${process.platform}-${process.arch}`
  const files = [
    binary,
    `${binary}.licenses.txt`,
    `gatehouse-${version}.cdx.json`,
    `gatehouse-auth-${version}.tgz`,
  ]
  const packed = [`local-${version}.tgz`, `sdk-${version}.tgz`]
  assert.deepEqual(
    readdirSync(folder).sort(),
    ['CHANGES.md', 'SHA256SUMS', 'results-nightly.md', ...files, ...packed].sort(),
  )
  for (const line of readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n')) {
    const [sum, file = ''] = line.split('  ')
    const content = readFileSync(path.join(folder, file))
    assert.equal(createHash('sha256').update(content).digest('hex'), sum, file)
  }
  const sbom = JSON.parse(readFileSync(path.join(folder, `gatehouse-${version}.cdx.json`), 'utf8'))
  assert.equal(sbom.bomFormat, 'CycloneDX')
  const names = sbom.components.map(({ name }: { name: string }) => name)
  assert.ok(
    names.includes('hono') && names.includes('kysely') && !names.includes('typescript'),
    'what runs',
  )
})
