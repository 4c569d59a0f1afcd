import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { familyOf, licensesDocument, lockedPackages, nameOf } from '../../scripts/licenses.ts'

// What we install is what the lock file says, on every machine, and installing it runs nothing.

const ROOT = path.resolve(import.meta.dirname, '../..')
const packages = lockedPackages()

test('every package is pinned by an integrity hash', () => {
  assert.ok(packages.size > 100)
  const unpinned = [...packages].filter(([, { version, integrity = '' }]) => !version || !/^sha512-/.test(integrity))
  assert.deepEqual(unpinned, [])
})

test('every platform-specific package is locked for Linux and macOS on x64 and arm64', () => {
  const families = new Map<string, Set<string>>()
  for (const [at, { os = [], cpu = [] }] of packages) {
    if (os.length === 0 && cpu.length === 0) continue
    const family = familyOf(nameOf(at)).replace(/^node-(bin-)?…$/, 'node')
    assert.ok(family.includes('…') || family === 'node', `${at} is for one platform and names none`)
    const platforms = families.get(family) ?? new Set()
    for (const system of [os].flat()) for (const processor of [cpu].flat()) platforms.add(`${system} ${processor}`)
    families.set(family, platforms)
  }
  assert.ok(families.size >= 4, [...families.keys()].join())
  for (const [family, platforms] of families) {
    for (const needed of ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64']) {
      assert.ok(platforms.has(needed), `${family} is missing for ${needed}`)
    }
  }
})

test('no package runs an install script', () => {
  const { allowScripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    allowScripts: Record<string, boolean>
  }
  const wanting = [...packages].filter(([, { hasInstallScript }]) => hasInstallScript).map(([at]) => nameOf(at))
  assert.deepEqual(wanting.sort(), Object.keys(allowScripts).sort(), 'each that would like to is named, and told no')
  assert.ok(Object.values(allowScripts).every((allowed) => !allowed))
})

test('the list of licenses is current, and every license is permissive', () => {
  const written = readFileSync(path.join(ROOT, 'docs/licenses.md'), 'utf8')
  assert.equal(written, licensesDocument(packages), 'npm run licenses writes it anew')
  const permissive = /^\(?(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|Python-2\.0|0BSD|CC0-1\.0)\b/
  const others = [...packages].filter(([, { license = '' }]) => !permissive.test(license))
  // Its text is run in a test's browser and is part of nothing that we give to anybody.
  assert.deepEqual(
    others.map(([at, { dev }]) => [nameOf(at), dev]),
    [['axe-core', true]],
  )
})
