import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '../src/index.ts'
import { gatehouse, type SvelteKitEvent } from '../src/sveltekit.ts'
import { createScriptedClient } from './support/scripted-client.ts'

interface Event extends SvelteKitEvent {
  readonly locals: { user?: User | null }
}

const eventOf = (address: string, more: Partial<Event> = {}): Event => {
  const request = more.request ?? new Request(address)
  return { request, url: new URL(address), isDataRequest: false, locals: {}, ...more }
}

const resolve = (): Response => new Response('the page')

/** The event of a page that SvelteKit renders when it builds the app. */
function prerendered(path: string): Event {
  const event = eventOf(`http://sveltekit-prerender${path}`)
  for (const name of ['search', 'searchParams']) {
    Object.defineProperty(event.url, name, {
      get() {
        throw new Error(`Cannot access url.${name} on a page with prerendering enabled`)
      },
    })
  }
  return event
}

const withoutSettings = (): never => {
  throw new Error('no settings at build time')
}

test('SvelteKit: a page that is rendered at build time has no user and needs no settings', async () => {
  const handle = gatehouse({ client: withoutSettings, protect: ['/notes'] })
  for (const event of [prerendered('/about'), eventOf('http://sveltekit-prerender/[fallback]')]) {
    const response = await handle({ event, resolve })
    assert.equal(await response.text(), 'the page')
    assert.equal(event.locals.user, null)
    assert.equal(response.headers.get('cache-control'), null)
  }
})

test('SvelteKit: a protected page that is rendered at build time fails the build, and says what to add', async () => {
  const handle = gatehouse({ client: withoutSettings, protect: ['/notes'] })
  await assert.rejects(handle({ event: prerendered('/notes/7'), resolve }), {
    message: /^\/notes\/7 .* Add to it: export const prerender = false$/,
  })
})

test('SvelteKit: a request for the name of the fallback page is guarded like any other', async () => {
  const { client } = createScriptedClient([])
  const event = eventOf('https://app.example/[fallback]')
  const response = await gatehouse({ client, protect: ['/'] })({ event, resolve })
  assert.equal(response.status, 303)
})

test('SvelteKit: a remote call is guarded by its own path, not by the page that it claims to come from', async () => {
  const call = async (protect: string, claimed: string): Promise<string> => {
    const { client } = createScriptedClient([])
    const headers = { 'X-Sveltekit-Pathname': claimed }
    const request = new Request('https://app.example/_app/remote/1a2b/getNotes?payload=x', {
      headers,
    })
    // As SvelteKit sets it, from the header.
    const event = eventOf(`https://app.example${claimed}`, { request, isRemoteRequest: true })
    const response = await gatehouse({ client, protect: [protect] })({ event, resolve })
    return `${response.status} ${event.locals.user}`
  }
  for (const claimed of ['/notes', '/', '/login', '/[fallback]']) {
    assert.equal(await call('/notes', claimed), '200 null', claimed)
    assert.equal(await call('/', claimed), '401 undefined', claimed)
    assert.equal(await call('/_app/remote', claimed), '401 undefined', claimed)
  }
})

test('SvelteKit: the data of a page is guarded as the page is', async () => {
  const { client } = createScriptedClient([])
  const request = new Request('https://app.example/notes/__data.json')
  const event = eventOf('https://app.example/notes', { request, isDataRequest: true })
  const response = await gatehouse({ client, protect: ['/notes'] })({ event, resolve })
  assert.equal(response.headers.get('location'), '/login?return_to=%2Fnotes')
})
