import * as Crypto from 'expo-crypto'
import * as SecureStore from 'expo-secure-store'
import * as WebBrowser from 'expo-web-browser'

/** The reverse of a domain of yours: the `scheme` in app.json, and a registered callback. */
const REDIRECT_URI = 'com.example.app:/auth/callback'
const BASE_URL = process.env.EXPO_PUBLIC_GATEHOUSE_URL?.replace(/\/+$/, '')
const EDGE = `${BASE_URL}/edge/auth/${process.env.EXPO_PUBLIC_GATEHOUSE_TENANT}`

export interface User {
  readonly id: number
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
}

/** `key` is the Idempotency-Key of the refresh: after a lost response, the same call gets the same pair for 24 hours. */
interface Session {
  readonly access_token: string
  readonly refresh_token: string
  readonly key: string
}

/** The service can't be asked now. The user stays signed in: try again later. */
export class Unavailable extends Error {}

const random = (): string =>
  Array.from(Crypto.getRandomBytes(32), (byte) => byte.toString(16).padStart(2, '0')).join('')

async function sha256(text: string): Promise<string> {
  const options = { encoding: Crypto.CryptoEncoding.BASE64 }
  const hash = await Crypto.digestStringAsync(Crypto.CryptoDigestAlgorithm.SHA256, text, options)
  return hash.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

async function call(action: string, body: object, key = random()) {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
  const sent = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${EDGE}/${action}`, sent).catch(() => null)
  if (response === null || ![200, 400, 401].includes(response.status)) {
    throw new Unavailable('Sign-in isn’t available.')
  }
  return response.json()
}

const store = ({ access_token, refresh_token }: Omit<Session, 'key'>): Promise<void> =>
  SecureStore.setItemAsync(
    'gatehouse',
    JSON.stringify({ access_token, refresh_token, key: `gh1_${random()}` }),
  )

const read = async (): Promise<Session | null> =>
  JSON.parse((await SecureStore.getItemAsync('gatehouse')) ?? 'null')

/** Opens the browser of the device. Show the user why if it is no user. */
export async function signIn(): Promise<User | 'cancelled' | 'failed'> {
  const verifier = random()
  const query = new URLSearchParams({
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    code_challenge: await sha256(verifier),
    code_challenge_method: 'S256',
  })
  const result = await WebBrowser.openAuthSessionAsync(`${EDGE}/google?${query}`, REDIRECT_URI)
  if (result.type !== 'success') {
    return 'cancelled'
  }
  const { searchParams } = new URL(result.url)
  const code = searchParams.get('code')
  if (code === null) {
    return searchParams.get('error') === 'access_denied' ? 'cancelled' : 'failed'
  }
  // Only this call knows the verifier, so a code that another app received or sent is useless.
  const pair = await call(
    'token',
    { code, code_verifier: verifier },
    await sha256(`exchange ${verifier}`),
  )
  if (!pair.access_token) {
    return 'failed'
  }
  changes++
  await store(pair)
  return (await currentUser()) ?? 'failed'
}

/** The user or null. Refreshes an expired session. */
export async function currentUser(): Promise<User | null> {
  const session = await read()
  if (session === null) {
    return null
  }
  const { user } = await call('verify', { access_token: session.access_token })
  return user ?? refreshedUser()
}

/** How many sign-ins and sign-outs there were. A refresh that was on its way during one must not undo it. */
let changes = 0
let refreshing: Promise<User | null> | null = null

/** Simultaneous calls share one refresh. */
function refreshedUser(): Promise<User | null> {
  refreshing ??= refresh().finally(() => {
    refreshing = null
  })
  return refreshing
}

async function refresh(): Promise<User | null> {
  const before = changes
  const session = await read()
  if (session === null) {
    return null
  }
  const pair = await call('refresh', { refresh_token: session.refresh_token }, session.key)
  if (changes === before) {
    await (pair.access_token ? store(pair) : SecureStore.deleteItemAsync('gatehouse'))
  }
  const current = await read()
  const { user = null } =
    current === null ? {} : await call('verify', { access_token: current.access_token })
  return user
}

export async function signOut(): Promise<void> {
  changes++
  const session = await read()
  await SecureStore.deleteItemAsync('gatehouse')
  if (session !== null) {
    await call('logout', { refresh_token: session.refresh_token })
  }
}
