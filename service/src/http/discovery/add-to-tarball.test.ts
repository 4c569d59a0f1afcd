import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { addToTarball } from './add-to-tarball.ts'

/** A tarball of these files, and what `tar` unpacks from another. */
function inFolder(t: { after(cleanUp: () => void): void }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-tarball-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const tar = (...args: string[]): string =>
    execFileSync('tar', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  return {
    pack(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
      for (const [name, text] of Object.entries(files)) {
        writeFileSync(path.join(folder, name), text)
      }
      tar('czf', 'packed.tgz', '--format=ustar', ...Object.keys(files))
      return new Uint8Array(readFileSync(path.join(folder, 'packed.tgz')))
    },
    unpack(tarball: Uint8Array): Record<string, string> {
      writeFileSync(path.join(folder, 'added.tgz'), tarball)
      const names = tar('tzf', 'added.tgz').trim().split('\n')
      return Object.fromEntries(names.map((name) => [name, tar('xzOf', 'added.tgz', name)]))
    },
  }
}

test('a file that is added to a tarball is its last one, and the others stay as they were', async (t) => {
  const { pack, unpack } = inFolder(t)
  for (const size of [0, 1, 511, 512, 513]) {
    const files = { 'a.txt': 'x'.repeat(size), 'b.txt': '\0'.repeat(600) }
    const added = await addToTarball(pack(files), 'package/service.json', 'y'.repeat(size))
    assert.deepEqual(unpack(added), { ...files, 'package/service.json': 'y'.repeat(size) })
  }
})

test('the same file added to the same tarball gives the same bytes', async (t) => {
  const tarball = inFolder(t).pack({ 'a.txt': 'a' })
  const [first, second] = await Promise.all(
    [1, 2].map(() => addToTarball(tarball, 'package/service.json', '{}')),
  )
  assert.deepEqual(first, second)
})
