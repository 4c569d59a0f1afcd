import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { packSdk } from '../../../sdk/test/support/pack.ts'
import { freshFolder } from '../support/postgres/engines.ts'
import { run } from '../support/process/run.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

interface Listed {
  readonly name: string
  readonly version: string
  readonly integrity: string
  readonly url: string
  readonly latest_url: string
}

const integrityOf = (body: ArrayBuffer): string =>
  `sha512-${createHash('sha512').update(new Uint8Array(body)).digest('base64')}`

test('the service lists its packages with version, URL and integrity, and serves exactly these bytes', async (t) => {
  const { agent, baseUrl } = await world(t, { through: 'port' })
  const { json } = await agent.call('GET', '/packages')
  const packages = json.packages as Listed[]
  assert.deepEqual(
    packages.map(({ name }) => name),
    ['@gatehouse-auth/sdk', '@gatehouse-auth/local'],
  )
  for (const { name, version, integrity, url, latest_url } of packages) {
    const short = name.replace('@gatehouse-auth/', '')
    assert.deepEqual(
      [url, latest_url],
      [`${baseUrl}/packages/${short}-${version}.tgz`, `${baseUrl}/packages/${short}.tgz`],
    )
    for (const [address, cache] of [
      [url, 'public, max-age=31536000'],
      [latest_url, 'public, max-age=300'],
    ] as const) {
      const response = await fetch(address)
      assert.deepEqual([response.status, response.headers.get('cache-control')], [200, cache])
      assert.equal(response.headers.get('content-type'), 'application/gzip')
      const body = await response.arrayBuffer()
      assert.equal(integrityOf(body), integrity)
      assert.match(gunzipSync(body).toString('latin1'), new RegExp(`"name": "${name}"`))
      const etag = response.headers.get('etag') ?? ''
      assert.equal((await fetch(address, { headers: { 'If-None-Match': etag } })).status, 304)
    }
  }
})

test('a browser gets the packages as a page with the commands to install them', async (t) => {
  const { browser, baseUrl } = await world(t)
  const visitor = browser()
  await visitor.open(`${baseUrl}/packages`)
  assert.equal(visitor.page.status, 200)
  assert.ok(visitor.page.text.includes(`@gatehouse-auth:registry=${baseUrl}/packages/npm/`))
  for (const name of ['sdk', 'local']) {
    assert.ok(visitor.page.text.includes(`npm install @gatehouse-auth/${name}`))
  }
  assert.doesNotMatch(visitor.page.text, /None yet/)
})

test('the same sources give the same package, byte for byte', { skip: slow }, async (t) => {
  const { agent } = await world(t)
  const { json } = await agent.call('GET', '/packages')
  const packedAgain = await readFile(await packSdk())
  assert.equal(
    integrityOf(new Uint8Array(packedAgain).buffer),
    json.packages[0].integrity,
    'npm run packages',
  )
})

test('another file name is not found, and no other file can be read', async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  for (const file of ['sdk-9.9.9.tgz', 'index.json', '..%2fpackage.json', 'other.tgz', '%00']) {
    assert.equal((await fetch(`${baseUrl}/packages/${file}`)).status, 404, file)
  }
})

test('npm installs the SDK from the service, pins its integrity, and the app imports it', {
  skip: slow,
}, async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const cwd = await freshFolder()
  await writeFile(path.join(cwd, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--loglevel=error', `${baseUrl}/packages/sdk.tgz`],
    { cwd },
  )
  const lock = JSON.parse(await readFile(path.join(cwd, 'package-lock.json'), 'utf8'))
  const { packages } = (await (await fetch(`${baseUrl}/packages`)).json()) as { packages: Listed[] }
  assert.equal(lock.packages['node_modules/@gatehouse-auth/sdk'].integrity, packages[0]?.integrity)
  await writeFile(
    path.join(cwd, 'app.js'),
    `import { createClient } from '@gatehouse-auth/sdk'
    console.log(createClient({ baseUrl: '${baseUrl}', tenantId: 'swift-fox-running-k3qd' }).loginUrl())`,
  )
  const printed = await run(process.execPath, ['app.js'], { cwd })
  assert.equal(printed.trim(), `${baseUrl}/edge/auth/swift-fox-running-k3qd/google`)
})

test('npx runs the local tools from the service without a registry', { skip: slow }, async (t) => {
  const { baseUrl } = await world(t, { through: 'port' })
  const cwd = await freshFolder()
  const env = {
    ...process.env,
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_cache: path.join(cwd, 'cache'),
  }
  const printed = await run('npx', ['--yes', `${baseUrl}/packages/local.tgz`, '--version'], {
    cwd,
    env,
  })
  assert.match(printed, /^\d+\.\d+\.\d+\n$/)
})
