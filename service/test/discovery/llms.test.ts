import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overHttp } from '../support/transport/http-transport.ts'
import { world } from '../support/world.ts'

/** Parses a block: request line, headers, an empty line, a body. */
function readRequest(block: string): {
  method: string
  url: string
  headers: Record<string, string>
  body: string | null
} {
  const [head = '', ...body] = block.split('\n\n')
  const [first = '', ...lines] = head.trim().split('\n')
  const [method = '', url = ''] = first.split(' ')
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]))
  return { method, url, headers, body: body.length === 0 ? null : body.join('\n\n').trim() }
}

/** Every string in a JSON response, with its field name. */
function* namesIn(value: unknown): Generator<[string, string]> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string') yield [name, inner]
    else yield* namesIn(inner)
  }
}

// Follows the steps of llms.txt without other knowledge: sends each request as printed and replaces `<word>` with the
// value of that name in an earlier response. Only the user's choices in the browser are scripted.
test('following llms.txt literally ends with a verified user', async (t) => {
  const { agent, baseUrl, browser, clock } = await world(t)
  const { text } = await agent.call('GET', '/llms.txt')
  const known = new Map<string, string>()
  const fill = (written: string): string =>
    written.replace(/<([a-z_]+)>/g, (word, name: string) => {
      const value = known.get(name)
      assert.ok(value !== undefined, `llms.txt uses ${word} before a response contains it`)
      return value
    })

  const responses: { url: string; status: number; json: Record<string, unknown> }[] = []
  const steps = (text.split('\n## ')[0] ?? '').split(/^(?=\*\*Step \d)/m).slice(1)
  assert.equal(steps.length, 6)
  for (const step of steps) {
    clock.advance({ minutes: 1 })
    const [, opened] = /Open `<(\w+)>` in a browser/.exec(step.replaceAll('\n', ' ')) ?? []
    if (opened !== undefined) {
      const person = browser()
      await person.open(fill(`<${opened}>`))
      await person.press('Ada Lovelace')
      const landed = await person.press('Continue')
      assert.ok(step.replaceAll('\n', ' ').includes(landed.origin + landed.pathname))
      for (const [name, value] of landed.searchParams) known.set(name, value)
    }
    for (const [, block = ''] of step.matchAll(/^```http\n(.*?)^```/gms)) {
      const { method, url, headers, body } = readRequest(fill(block))
      const response = await overHttp(new URL(url), { method, headers, body })
      const json = (await response.json()) as Record<string, unknown>
      responses.push({ url: url.slice(baseUrl.length), status: response.status, json })
      for (const [name, value] of namesIn(json)) known.set(name, value)
    }
  }

  const [made, provisioned, verified, refreshed, link, status] = responses
  assert.deepEqual(
    responses.map((each) => each.status),
    [201, 200, 200, 200, 200, 200],
  )
  assert.ok(String(JSON.stringify(made?.json.credentials_file)).includes('"filename":".service"'))
  assert.deepEqual(provisioned?.json.callback_urls, ['http://localhost:3000/auth/callback'])
  assert.equal(verified?.json.valid, true)
  assert.equal(known.get('email'), 'ada@example.com')
  assert.ok(typeof refreshed?.json.access_token === 'string')
  assert.ok(String(link?.json.approval_url).startsWith(`${baseUrl}/c/`))
  assert.equal(status?.json.status, 'ephemeral')
})
