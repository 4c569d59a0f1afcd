import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { world } from '../support/world.ts'

// The answers themselves. service/test/process/package-managers.test.ts installs with npm, pnpm, Yarn and Bun.

const ABBREVIATED = 'application/vnd.npm.install-v1+json'
const NAMES = ['@gatehouse-auth/sdk', '@gatehouse-auth/local']

interface Version {
  readonly name: string
  readonly version: string
  readonly bin?: Readonly<Record<string, string>>
  readonly engines: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: unknown
  readonly description?: string
  readonly scripts?: unknown
  readonly devDependencies?: unknown
  readonly dist: { readonly tarball: string; readonly integrity: string; readonly shasum: string }
}

interface Packument {
  readonly name: string
  readonly 'dist-tags': Readonly<Record<string, string>>
  readonly time: Readonly<Record<string, string>>
  readonly versions: Readonly<Record<string, Version>>
}

const read = async <T>(url: string, headers: Record<string, string> = {}): Promise<T> =>
  (await fetch(url, { headers })).json() as Promise<T>

function newest({ 'dist-tags': tags, versions }: Packument): Version {
  const version = versions[tags.latest ?? '']
  assert.ok(version)
  return version
}

test('the npm registry names for each package a tarball at this service with the hashes of its bytes', async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const registry = `${baseUrl}/packages/npm/`
  for (const name of NAMES) {
    const packument = await read<Packument>(`${registry}${name.replace('/', '%2f')}`)
    assert.equal(packument.name, name)
    const { version, dist, ...manifest } = newest(packument)
    const file = `${name.replace('@gatehouse-auth/', '')}-${version}.tgz`
    assert.equal(dist.tarball, `${registry}${name}/-/${file}`)

    const response = await fetch(dist.tarball)
    assert.deepEqual(
      [
        response.status,
        response.headers.get('content-type'),
        response.headers.get('cache-control'),
      ],
      [200, 'application/gzip', 'public, max-age=0'],
    )
    const bytes = new Uint8Array(await response.arrayBuffer())
    assert.equal(dist.integrity, `sha512-${createHash('sha512').update(bytes).digest('base64')}`)
    assert.equal(dist.shasum, createHash('sha1').update(bytes).digest('hex'))

    const packed = gunzipSync(bytes).toString('latin1')
    assert.ok(packed.includes(`"version": "${version}"`))
    assert.ok(packed.includes(`"description": ${JSON.stringify(manifest.description)}`))
    assert.deepEqual([manifest.scripts, manifest.devDependencies], [undefined, undefined])
  }
})

test('an installer gets the abbreviated packument of the npm registry, with commands, engines and optional peers', async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const [sdk, local] = await Promise.all(
    NAMES.map(async (name) => {
      const accept = `${ABBREVIATED}; q=1.0, application/json; q=0.8, */*`
      const response = await fetch(`${baseUrl}/packages/npm/${name}`, { headers: { accept } })
      assert.equal(response.headers.get('content-type'), ABBREVIATED)
      assert.equal(response.headers.get('vary'), 'Accept')
      return newest((await response.json()) as Packument)
    }),
  )
  assert.deepEqual(Object.keys(sdk ?? {}), [
    'name',
    'version',
    'dist',
    'engines',
    'peerDependenciesMeta',
  ])
  assert.deepEqual(local?.bin, { 'gatehouse-local': 'dist/cli.js' })
  assert.deepEqual(local?.engines, { node: '>=20.19' })
})

test('each version in the npm registry is old enough for installers that wait a day after a publication', async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  for (const accept of [ABBREVIATED, '*/*']) {
    const packument = await read<Packument>(`${baseUrl}/packages/npm/@gatehouse-auth%2fsdk`, {
      accept,
    })
    const published = packument.time[newest(packument).version] ?? 'no time'
    assert.ok(Date.parse(published) < Date.now() - 7 * 24 * 3_600_000, published)
  }
})

test('the npm registry answers HEAD, and 304 to the ETag of each answer', async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const registry = `${baseUrl}/packages/npm/`
  const { dist } = await read<Version>(`${registry}@gatehouse-auth/sdk/latest`)
  const tags = new Set<string | null>()
  const asked: [string, string][] = [
    [`${registry}@gatehouse-auth%2fsdk`, '*/*'],
    [`${registry}@gatehouse-auth%2fsdk`, ABBREVIATED],
    [`${registry}@gatehouse-auth/sdk/latest`, '*/*'],
    [dist.tarball, '*/*'],
  ]
  for (const [url, accept] of asked) {
    const head = await fetch(url, { method: 'HEAD', headers: { accept } })
    assert.deepEqual([head.status, await head.text()], [200, ''], url)
    const etag = head.headers.get('etag') ?? ''
    tags.add(etag)
    const again = await fetch(url, { headers: { accept, 'If-None-Match': etag } })
    assert.deepEqual([again.status, await again.text()], [304, ''], url)
  }
  assert.equal(tags.size, asked.length, 'two forms of a packument have two ETags')
})

test('the npm registry answers one version, a tag, the tags, its names and a ping', async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const registry = `${baseUrl}/packages/npm/`
  const version = newest(await read<Packument>(`${registry}@gatehouse-auth/sdk`))
  for (const wanted of [version.version, 'latest']) {
    assert.deepEqual(await read(`${registry}@gatehouse-auth/sdk/${wanted}`), version)
    assert.deepEqual(await read(`${registry}@gatehouse-auth%2Fsdk/${wanted}`), version)
  }
  const tags = { latest: version.version }
  assert.deepEqual(await read(`${registry}-/package/@gatehouse-auth%2fsdk/dist-tags`), tags)
  assert.deepEqual(await read(registry), { packages: NAMES })
  assert.deepEqual(await read(`${registry}-/ping?write=true`), {})
})

test('the npm registry answers 404 with a text for npm to print to another package, an audit, a login and a publication', async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const requests = [
    ['GET', 'express'],
    ['GET', '@gatehouse/sdk'],
    ['GET', '@gatehouse-auth'],
    ['GET', '@gatehouse-auth/other'],
    ['GET', '@gatehouse-auth/sdk/9.9.9'],
    ['GET', '@gatehouse-auth/sdk/-/sdk-9.9.9.tgz'],
    ['GET', '@gatehouse-auth/sdk/-/local-0.1.0.tgz'],
    ['GET', '@gatehouse-auth/sdk/-/index.json'],
    ['GET', '@gatehouse-auth/sdk/constructor'],
    ['GET', 'constructor'],
    ['GET', '%e0%a4%a'],
    ['GET', '-/npm/v1/keys'],
    ['GET', '-/v1/search?text=sdk'],
    ['POST', '-/npm/v1/security/advisories/bulk'],
    ['POST', '-/npm/v1/security/audits/quick'],
    ['PUT', '-/user/org.couchdb.user:ada'],
    ['PUT', '@gatehouse-auth%2fsdk'],
    ['DELETE', '@gatehouse-auth/sdk/-/sdk-0.1.0.tgz/-rev/1'],
  ] as const
  for (const [method, path] of requests) {
    const response = await fetch(`${baseUrl}/packages/npm/${path}`, { method })
    assert.deepEqual(
      [response.status, response.headers.get('content-type'), await response.json()],
      [404, 'application/json', { error: `Not found. ${baseUrl}/packages lists what is here.` }],
      `${method} ${path}`,
    )
  }
})
