import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { familyOf, licensesDocument, lockedPackages, nameOf } from '../../scripts/licenses.ts'

// Every machine installs the packages of the lock file, and installing them runs no script.

const ROOT = path.resolve(import.meta.dirname, '../..')
const packages = lockedPackages()
const ofWorkshop = lockedPackages(path.join(ROOT, 'workshop'))

// proves S036
test('every dependency is named by an exact version', () => {
  for (const folder of ['.', 'contract', 'service', 'sdk', 'local', 'workshop']) {
    const manifest = JSON.parse(
      readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'),
    ) as Record<string, object>
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides']) {
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        assert.match(version, /^\d+\.\d+\.\d+[\w.-]*$/, `${name} in ${folder}`)
      }
    }
  }
})

// proves S036
test('every package is pinned by an integrity hash', () => {
  assert.ok(packages.size > 100)
  const unpinned = [...packages, ...ofWorkshop].filter(
    ([, { version, integrity = '' }]) => !version || !/^sha512-/.test(integrity),
  )
  assert.deepEqual(unpinned, [])
})

// proves S036
test('every platform-specific package is locked for Linux and macOS on x64 and arm64', () => {
  const families = new Map<string, Set<string>>()
  for (const [at, { os = [], cpu = [] }] of packages) {
    if (os.length === 0 && cpu.length === 0) {
      continue
    }
    const family = familyOf(nameOf(at)).replace(/^node-(bin-)?…$/, 'node')
    assert.ok(family.includes('…') || family === 'node', `${at} is for one platform and names none`)
    const platforms = families.get(family) ?? new Set()
    for (const system of [os].flat()) {
      for (const processor of [cpu].flat()) {
        platforms.add(`${system} ${processor}`)
      }
    }
    families.set(family, platforms)
  }
  assert.ok(families.size >= 4, [...families.keys()].join())
  for (const [family, platforms] of families) {
    for (const needed of ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64']) {
      assert.ok(platforms.has(needed), `${family} is missing for ${needed}`)
    }
  }
})

// proves S036
test('no package runs an install script', () => {
  const { allowScripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    allowScripts: Record<string, boolean>
  }
  const withInstallScript = [...packages]
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([at]) => nameOf(at))
  assert.deepEqual(
    withInstallScript.sort(),
    Object.keys(allowScripts).sort(),
    'each is listed in allowScripts',
  )
  assert.ok(Object.values(allowScripts).every((allowed) => !allowed))
})

// proves S036
test('the list of licenses is current, and every license is permissive', () => {
  const written = readFileSync(path.join(ROOT, 'docs/licenses.md'), 'utf8')
  assert.equal(written, licensesDocument(packages), 'npm run licenses updates it')
  const permissive =
    /^\(?(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|Python-2\.0|0BSD|CC0-1\.0)\b/
  const others = [...packages].filter(([, { license = '' }]) => !permissive.test(license))
  // axe-core (MPL-2.0) is a development dependency and is not distributed.
  assert.deepEqual(
    others.map(([at, { dev }]) => [nameOf(at), dev]),
    [['axe-core', true]],
  )
})
