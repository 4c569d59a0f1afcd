import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import { Browser } from '../../service/test/support/actors/browser.ts'
import { overHttp } from '../../service/test/support/transport/http-transport.ts'
import { world } from '../../service/test/support/world.ts'

// The recipe as printed, in Node. The three modules of Expo are stand-ins: a browser that returns at the scheme, the
// device's random numbers and hashes, and its keychain.

const RECIPE = path.resolve(import.meta.dirname, '../../examples/recipes/expo/gatehouse.ts')
const CALLBACK = 'com.example.app:/auth/callback'

const device = {
  keychain: new Map<string, string>(),
  open: async (_url: string): Promise<string | null> => null,
  digest: (text: string): string => createHash('sha256').update(text).digest('base64'),
  random: (count: number): Uint8Array => new Uint8Array(randomBytes(count)),
}
Object.assign(globalThis, { expoDevice: device })

const MODULES: Readonly<Record<string, string>> = {
  'expo-web-browser': `export const openAuthSessionAsync = async (url) => {
    const back = await expoDevice.open(url)
    return back === null ? { type: 'cancel' } : { type: 'success', url: back }
  }`,
  'expo-crypto': `export const CryptoEncoding = { BASE64: 'base64' }
    export const CryptoDigestAlgorithm = { SHA256: 'SHA-256' }
    export const getRandomBytes = (count) => expoDevice.random(count)
    export const digestStringAsync = async (_, text) => expoDevice.digest(text)`,
  'expo-secure-store': `export const setItemAsync = async (name, value) => void expoDevice.keychain.set(name, value)
    export const getItemAsync = async (name) => expoDevice.keychain.get(name) ?? null
    export const deleteItemAsync = async (name) => void expoDevice.keychain.delete(name)`,
}

// proves S123
test('the Expo recipe signs users in at its scheme, refreshes once, survives a lost response, and signs out', async (t) => {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier in MODULES
        ? {
            url: `data:text/javascript,${encodeURIComponent(MODULES[specifier] ?? '')}`,
            shortCircuit: true,
          }
        : next(specifier, context),
  })
  t.after(() => hooks.deregister())
  const service = await world(t, { through: 'port' })
  const tenant = await service.agent.createTenant([CALLBACK])
  process.env.EXPO_PUBLIC_GATEHOUSE_URL = `${service.baseUrl}/`
  process.env.EXPO_PUBLIC_GATEHOUSE_TENANT = tenant.id
  const app = (await import(RECIPE)) as {
    signIn(): Promise<{ email: string } | string>
    currentUser(): Promise<{ email: string } | null>
    signOut(): Promise<void>
  }
  const urls: string[] = []
  const pressing =
    (button: string, person = 'Ada Lovelace') =>
    async (url: string) => {
      const browser = new Browser({ origins: [service.baseUrl], transport: overHttp })
      await browser.open(url)
      await browser.press(person)
      const back = (await browser.press(button)).href
      urls.push(back)
      return back
    }

  device.open = pressing('Cancel')
  assert.equal(await app.signIn(), 'cancelled')
  assert.equal(await app.currentUser(), null)
  service.clock.advance({ minutes: 1 })
  device.open = pressing('Continue')
  assert.equal(((await app.signIn()) as { email: string }).email, 'ada@example.com')
  assert.match(urls.at(-1) ?? '', /^com\.example\.app:\/auth\/callback\?code=svc_ac_[\w-]+$/)

  service.clock.advance({ hours: 1, minutes: 1 })
  const users = await Promise.all([app.currentUser(), app.currentUser()])
  assert.deepEqual(
    users.map((user) => user?.email),
    ['ada@example.com', 'ada@example.com'],
  )

  // The response to the next refresh is lost; an hour later the app asks again.
  service.clock.advance({ hours: 1, minutes: 1 })
  const { fetch: real } = globalThis
  t.after(() => Object.assign(globalThis, { fetch: real }))
  globalThis.fetch = async (input, init) => {
    const response = await real(input, init)
    if (!String(input).endsWith('/refresh')) {
      return response
    }
    await response.text()
    throw new TypeError('the connection was lost')
  }
  await assert.rejects(app.currentUser(), /isn’t available/)
  globalThis.fetch = real
  service.clock.advance({ hours: 1 })
  assert.equal((await app.currentUser())?.email, 'ada@example.com')

  // A code of another login: an app that sends a link to this one.
  service.clock.advance({ minutes: 1 })
  const foreign = urls.at(-1) ?? ''
  device.open = async () => foreign
  assert.equal(await app.signIn(), 'failed')

  await app.signOut()
  assert.equal(await app.currentUser(), null)
  assert.equal(device.keychain.size, 0)
  const events = [
    'login_started',
    'consent_denied',
    'login_started',
    'authorize',
    'token_refreshed',
    'token_refreshed',
  ]
  assert.deepEqual(await tenant.eventKinds(), [...events, 'logout'])

  // A sign-out while a refresh is on its way: neither its pair nor its error replaces what is stored afterwards.
  for (const isAnsweredBefore of [true, false]) {
    for (const next of [null, 'Grace Hopper']) {
      service.clock.advance({ minutes: 1 })
      device.open = pressing('Continue')
      await app.signIn()
      service.clock.advance({ hours: 1, minutes: 1 })
      const arrived = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      globalThis.fetch = async (input, init) => {
        if (!String(input).endsWith('/refresh')) {
          return real(input, init)
        }
        const answered = isAnsweredBefore ? await real(input, init) : null
        arrived.resolve()
        await released.promise
        return answered ?? real(input, init)
      }
      const asked = app.currentUser()
      await arrived.promise
      await app.signOut()
      if (next !== null) {
        device.open = pressing('Continue', next)
        await app.signIn()
      }
      const stored = [...device.keychain]
      released.resolve()
      const expected = next === null ? undefined : 'grace@example.com'
      assert.equal((await asked)?.email, expected)
      assert.deepEqual([...device.keychain], stored)
      assert.equal((await app.currentUser())?.email, expected)
      globalThis.fetch = real
      await app.signOut()
    }
  }
})
