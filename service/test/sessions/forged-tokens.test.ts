import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString())

/** Another base64url encoding of the same bytes: decoding ignores the last bits of the last character. */
function respelled(part: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(part.at(-1) ?? '')
  const other = part.slice(0, -1) + alphabet[last ^ 1]
  assert.deepEqual(Buffer.from(other, 'base64url'), Buffer.from(part, 'base64url'))
  return other
}

/** Forgeries that need no signing key. */
function forgeries(token: string): Record<string, string> {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const claims = decode(header)
  const signed = (changed: unknown, key = 'secret', body = payload): string => {
    const text = `${encode(changed)}.${body}`
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }
  const admin = encode({ ...decode(payload), id: 1, email: 'root@example.com' })
  return {
    'alg none': `${encode({ ...claims, alg: 'none' })}.${payload}.`,
    'alg None, with the signature': `${encode({ ...claims, alg: 'None' })}.${payload}.${signature}`,
    'alg none, two parts': `${encode({ alg: 'none' })}.${payload}`,
    HS512: `${encode({ ...claims, alg: 'HS512' })}.${payload}.${signature}`,
    'HS512, signed': signed({ ...claims, alg: 'HS512' }),
    RS256: signed({ ...claims, alg: 'RS256' }),
    'an empty key': signed(claims, ''),
    'a guessed key': signed(claims, 'secret'),
    'an extra header field': `${encode({ ...claims, x: 1 })}.${payload}.${signature}`,
    'a re-ordered header': `${encode({ kid: claims.kid, typ: 'JWT', alg: 'HS256' })}.${payload}.${signature}`,
    'a header with spaces': `${Buffer.from('{"alg": "HS256","typ": "JWT"}').toString('base64url')}.${payload}.${signature}`,
    'kid: a path': signed({ ...claims, kid: '../../x' }),
    'kid: a number': `${encode({ ...claims, kid: 1 })}.${payload}.${signature}`,
    'kid: SQL': signed({ ...claims, kid: "' or 1=1 --" }),
    'kid: __proto__': signed({ ...claims, kid: '__proto__' }),
    'kid: another': signed({ ...claims, kid: '200' }),
    jwk: signed({ ...claims, jwk: { kty: 'oct', k: Buffer.from('secret').toString('base64url') } }),
    jku: signed({ ...claims, jku: 'https://evil.example/keys' }),
    crit: signed({ ...claims, crit: ['exp'] }),
    'another payload': `${header}.${admin}.${signature}`,
    'an empty payload': `${header}..${signature}`,
    'an empty signature': `${header}.${payload}.`,
    'no signature': `${header}.${payload}`,
    'a trailing dot': `${token}.`,
    'two trailing dots': `${token}..`,
    'a leading dot': `.${token}`,
    'four parts': `${token}.${signature}`,
    'a truncated signature': token.slice(0, -1),
    'a longer signature': `${token}A`,
    'padding after the signature': `${token}=`,
    'a re-spelled signature': `${header}.${payload}.${respelled(signature)}`,
    'standard base64': `${header}.${payload}.${Buffer.from(signature, 'base64url').toString('base64')}`,
    'the signature in upper case': `${header}.${payload}.${signature.toUpperCase()}`,
    'spaces around it': ` ${token} `,
    'a line end': `${token}\n`,
    'Bearer in front': `Bearer ${token}`,
    'a NUL': `${token}\u0000`,
    'not ASCII': `${token}é`,
    'half a surrogate': `${token}\ud800`,
    'very long': `${header}.${'A'.repeat(60_000)}.${signature}`,
    'many dots': '.'.repeat(60_000),
    empty: '',
    word: 'null',
    'not base64': '%%%.%%%.%%%',
  }
}

// proves C141, ASVS 7.2.1, ASVS 9.1.2
test('a forged or malformed access token is never valid and never an error', async (t) => {
  const { agent, browser, logLines } = await world(t)
  const tenant = await agent.createTenant()
  const { access_token, refresh_token } = await tenant.signIn(browser())
  for (const [how, forged] of Object.entries({
    ...forgeries(access_token),
    'a refresh token': refresh_token,
  })) {
    const response = await tenant.edge('verify', { access_token: forged })
    assert.deepEqual([how, response.status, response.json], [how, 200, { valid: false }])
  }
  assert.equal(await tenant.isValid(access_token), true)
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize'])
  assert.ok(!logLines.join('').includes('"level":50'))
})

// proves ASVS 9.1.1
test('a signed access token with a missing or mistyped claim is invalid on the fast path and in the framework', {
  skip: slow,
}, async (t) => {
  const { agent, browser, app, logLines } = await world(t)
  const tenant = await agent.createTenant()
  const { access_token } = await tenant.signIn(browser())
  const [header = '', payload = ''] = access_token.split('.')
  const claims = decode(payload)
  const { keyring } = app.ctx
  const key = keyring.derive(keyring.current.kid, `access-token|v1|${tenant.id}`) ?? assert.fail()
  const sign = (text: string): string => {
    const signed = `${header}.${Buffer.from(text).toString('base64url')}`
    return `${signed}.${createHmac('sha256', key.secret).update(signed).digest('base64url')}`
  }
  /** Twice each, because a token is cached when it is read the second time. An extra field avoids the fast path. */
  const verify = async (token: string): Promise<unknown[]> => {
    const bodies = [{ access_token: token }, { access_token: token }, { access_token: token, x: 1 }]
    const responses = [...bodies, ...bodies].map(
      async (body) => (await tenant.edge('verify', body)).json,
    )
    return [...new Set((await Promise.all(responses)).map((json) => JSON.stringify(json)))]
  }
  const { user } = (await tenant.edge('verify', { access_token })).json
  assert.deepEqual(await verify(sign(JSON.stringify(claims))), [
    JSON.stringify({ valid: true, user }),
  ])

  const mistyped: [string, string][] = ['', 'null', '[]', '7', '"text"', '{'].map((text) => [
    text,
    text,
  ])
  for (const name of Object.keys(claims)) {
    const { [name]: value, ...others } = claims
    if (name !== 'tenant_ends') {
      mistyped.push([`no ${name}`, JSON.stringify(others)])
    }
    for (const wrong of [String(value), Number(value) + 0.5, -1, true, [value], { value }, 1e300]) {
      if (wrong === value || (wrong === String(value) && typeof value === 'string')) {
        continue
      }
      mistyped.push([
        `${name}: ${JSON.stringify(wrong)}`,
        JSON.stringify({ ...others, [name]: wrong }),
      ])
    }
    if (value !== null) {
      mistyped.push([`${name}: null`, JSON.stringify({ ...others, [name]: null })])
    }
  }
  const nullable = new Set(['name: null', 'picture: null', 'picture: "null"', 'name: "null"'])
  for (const [how, text] of mistyped.filter(([how]) => !nullable.has(how))) {
    assert.deepEqual([how, await verify(sign(text))], [how, ['{"valid":false}']])
  }
  assert.equal(await tenant.isValid(access_token), true)
  assert.ok(!logLines.join('').includes('"level":50'))
})

test('a forged or malformed refresh token neither refreshes nor ends a session', async (t) => {
  const { agent, browser, clock, logLines } = await world(t)
  const tenant = await agent.createTenant()
  const { access_token, refresh_token } = await tenant.signIn(browser())
  clock.advance({ minutes: 1 })
  const body = refresh_token.slice('svc_rt_'.length)
  const flipped = (at: number): string => {
    const bytes = Buffer.from(body, 'base64url')
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return `svc_rt_${bytes.toString('base64url')}`
  }
  const forged = [
    '',
    'svc_rt_',
    body,
    refresh_token.slice(0, -1),
    `${refresh_token}A`,
    `${refresh_token}=`,
    ` ${refresh_token}`,
    refresh_token.toLowerCase(),
    refresh_token.replace('svc_rt_', 'svc_man_'),
    access_token,
    'x'.repeat(60_000),
    `${refresh_token}\u0000`,
    // The first and last byte of each part: version, key, session, generation, salt, MAC.
    ...[0, 1, 2, 7, 8, 11, 12, 23, 24, 43].map(flipped),
  ]
  for (const token of forged) {
    await tenant.assertRefreshRejected(token, 'invalidRefreshToken')
    const left = await tenant.edge('logout', { refresh_token: token })
    assert.deepEqual([left.status, left.json], [200, { success: true }])
  }
  assert.equal(await tenant.isValid(access_token), true)
  await tenant.refresh(refresh_token)
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
  assert.ok(!logLines.join('').includes('"level":50'))
})
