import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type Endpoint, SAMPLE } from '@gatehouse-auth/contract'
import * as sdk from '../../../sdk/src/index.ts'
import { createManagement } from '../../../sdk/src/management.ts'
import * as testing from '../../../sdk/src/testing.ts'
import { SDK_EXAMPLES } from '../../src/http/discovery/docs/call-examples.ts'
import { operationPath } from '../../src/http/discovery/docs/operations.ts'
import { DOCS } from '../../src/http/discovery/docs/page-list.ts'
import { world } from '../support/world.ts'

// proves C292
test('every operation has an entry on the page of its group, with its errors and a command that can be pasted', async (t) => {
  const { agent, baseUrl } = await world(t)
  for (const { id, tag, method, path, errors, auth, example } of ENDPOINTS as readonly Endpoint[]) {
    const [page = '', anchor] = operationPath(tag, id).split('#')
    const { status, text } = await agent.call('GET', `${page}.md`)
    assert.equal(status, 200, page)
    const entry = text.split(`{#${anchor}}`)[1]?.split('\n## ')[0] ?? ''
    assert.ok(entry.includes(`\`${method} ${path.replace(/:([A-Za-z]+)/g, '{$1}')}\``), id)
    for (const code of errors) {
      assert.ok(entry.includes(`(${baseUrl}/docs/errors#${code})`), `${id}: ${code}`)
    }
    const [, command = ''] = /```sh title=curl\n(.*?)```/s.exec(entry) ?? []
    assert.match(command, /^curl /, id)
    assert.doesNotMatch(
      command.split('\n')[0] ?? '',
      /\/[{:]/,
      `${id}: every path parameter has a value`,
    )
    if (auth === 'management') {
      assert.match(command, /Bearer \$\(sed -n/, id)
    }
    if (example.body !== undefined) {
      assert.ok(command.includes(`-d '${JSON.stringify(example.body).slice(0, 9)}`), id)
    }
    assert.doesNotMatch(command, /undefined|\[object/, id)
  }
})

// proves C292
test('every call that the examples make exists in the SDK', () => {
  const key = SAMPLE.managementKey
  const objects: Readonly<Record<string, unknown>> = {
    ...sdk,
    ...testing,
    client: sdk.createClient({ baseUrl: 'https://login.example.com', tenantId: SAMPLE.tenantId }),
    management: createManagement({ baseUrl: 'https://login.example.com', key }),
  }
  for (const [id, code] of Object.entries(SDK_EXAMPLES)) {
    const [call = ''] =
      /(?:client|management)(?:\.\w+)+(?=\()|(?<=await )\w+(?=\()/.exec(code) ?? []
    const found = call
      .split('.')
      .reduce<unknown>((object, name) => (object as Record<string, unknown>)?.[name], objects)
    assert.equal(typeof found, 'function', `${id}: ${code}`)
  }
})

test('the old address of the reference lists every operation with a link to its entry', async (t) => {
  const { agent, baseUrl } = await world(t)
  const { text } = await agent.call('GET', '/docs/api.md')
  for (const { id, tag } of ENDPOINTS) {
    assert.ok(text.includes(`(${baseUrl}${operationPath(tag, id)})`), id)
  }
})

test('the reference of a service with a Google client has no group for tests, and that of a development service has one', async (t) => {
  const published = {
    BASE_URL: 'https://login.example.com',
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
  }
  for (const [env, group] of [
    [published, []],
    [{}, ['## Tests']],
  ] as const) {
    const { agent } = await world(t, { env })
    const { text } = await agent.call('GET', '/docs/api.md')
    assert.deepEqual(text.match(/^## Tests$/gm) ?? [], group)
    assert.match(text, /^## Sessions$/m)
  }
})

test('the index of the documentation lists each page, but none of the API reference, whose own index lists its groups', async (t) => {
  const { agent, baseUrl } = await world(t)
  const pages = DOCS.flatMap((section) => section.pages)
  const listed = await agent.call('GET', '/docs.md')
  const links = [...listed.text.matchAll(/^- \[.*?\]\((.*?)\)/gm)].map(([, url = '']) =>
    url.replace(baseUrl, ''),
  )
  assert.deepEqual(
    links.filter((path) => path.startsWith('/docs')),
    pages.filter(({ parent }) => parent === undefined).map(({ path }) => path),
  )
  const { text } = await agent.call('GET', '/docs/api.md')
  for (const { path, source } of pages) {
    if ('generated' in source && source.generated === 'api-group') {
      assert.ok(text.includes(`](${baseUrl}${path})`), path)
    }
  }
})
