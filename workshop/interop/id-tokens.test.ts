import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { unpackedPackages } from '../../service/test/support/actors/debian-program.ts'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { run } from '../../service/test/support/process/run.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { type World, world } from '../../service/test/support/world.ts'
import { LANGUAGES, unpackedLanguage } from './languages.ts'

/** The real time: these programs have a clock of their own. */
async function signedIn(service: World) {
  const tenant = await service.agent.createTenant()
  const settings = {
    id_tokens: { audiences: ['notes', 'another'], claims: { role: 'authenticated' } },
  }
  await tenant.manage('PATCH', '/api/social-login/settings', settings)
  const { access_token } = await tenant.signIn(service.browser())
  const idToken = async (audience: string): Promise<string> =>
    (await tenant.edge('id-token', { access_token, audience })).json.id_token
  return {
    issuer: `${service.agent.baseUrl}/edge/auth/${tenant.id}`,
    subject: `${tenant.id}|1`,
    access_token,
    idToken,
  }
}

const PROGRAM = `
import sys, jwt
issuer, token = sys.argv[1:]
key = jwt.PyJWKClient(issuer + '/.well-known/jwks.json').get_signing_key_from_jwt(token)
claims = jwt.decode(token, key.key, algorithms=['ES256'], audience='notes', issuer=issuer)
print(claims['sub'], claims['role'], claims['email'])
`

// proves C209
test('PyJWT verifies an ID token by the JWKS, and refuses another audience and another tenant', async (t) => {
  const file = 'usr/lib/python3/dist-packages/jwt/__init__.py'
  const root = await unpackedPackages('pyjwt', ['python3-jwt', 'python3-cryptography'], file).catch(
    () => null,
  )
  if (root === null) {
    return t.skip(
      'PyJWT cannot be had: it needs Debian with apt-get and a reachable package source.',
    )
  }
  const service = await world(t, { through: 'port', realTime: true })
  const [ours, other] = [await signedIn(service), await signedIn(service)]
  const env = { PYTHONPATH: join(root, 'usr/lib/python3/dist-packages') }
  const python = (token: string): Promise<string> =>
    run('/usr/bin/python3', ['-c', PROGRAM, ours.issuer, token], { env })
  assert.equal(
    await python(await ours.idToken('notes')),
    `${ours.subject} authenticated ada@example.com\n`,
  )
  await assert.rejects(python(await ours.idToken('another')), /InvalidAudienceError/)
  await assert.rejects(
    python(await other.idToken('notes')),
    /Unable to find a signing key that matches/,
  )
  await assert.rejects(python(ours.access_token), /Unable to find a signing key that matches/)
})

const GO_PROGRAM = `package main

import (
	"context"
	"fmt"
	"os"

	oidc "github.com/coreos/go-oidc"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), os.Args[1])
	if err != nil {
		fmt.Println(err)
		return
	}
	token, err := provider.Verifier(&oidc.Config{ClientID: "notes", SupportedSigningAlgs: []string{"ES256"}}).Verify(context.Background(), os.Args[2])
	if err != nil {
		fmt.Println(err)
		return
	}
	claims := map[string]interface{}{}
	token.Claims(&claims)
	fmt.Println(token.Subject, claims["role"], claims["email"])
}
`

test("Go's coreos/go-oidc finds the keys by discovery, and refuses another audience and another tenant", async (t) => {
  const { go } = LANGUAGES
  const compiler = go && (await unpackedLanguage('go', go))
  const file = 'usr/share/gocode/src/github.com/coreos/go-oidc/oidc.go'
  const library = await unpackedPackages(
    'go-oidc',
    ['golang-github-coreos-go-oidc-dev'],
    file,
  ).catch(String)
  if (typeof compiler !== 'object' || !library.startsWith('/')) {
    return t.skip(`Go or go-oidc cannot be had: ${library}`)
  }
  const folder = await freshFolder()
  await writeFile(join(folder, 'main.go'), GO_PROGRAM)
  const { build = [], env } = go?.command(compiler.root, 0, folder) ?? { env: {} }
  const goEnv = { ...env, GOPATH: join(library, 'usr/share/gocode'), HOME: folder }
  await run(build[0] ?? '', ['build', '-o', 'app', 'main.go'], { cwd: folder, env: goEnv })
  const service = await world(t, { through: 'port', realTime: true })
  const [ours, other] = [await signedIn(service), await signedIn(service)]
  const verify = (token: string): Promise<string> =>
    run(join(folder, 'app'), [ours.issuer, token], { env: {} })
  assert.equal(
    await verify(await ours.idToken('notes')),
    `${ours.subject} authenticated ada@example.com\n`,
  )
  assert.match(
    await verify(await ours.idToken('another')),
    /expected audience "notes" got \["another"\]/,
  )
  assert.match(
    await verify(await other.idToken('notes')),
    /issued by a different provider|failed to verify/,
  )
  assert.match(
    await verify(ours.access_token),
    /issued by a different provider|malformed|unsupported/,
  )
})

// proves C209
test('express-oauth2-jwt-bearer finds the keys by discovery, and lets in our users only', async (t) => {
  const load = createRequire(join(import.meta.dirname, 'programs/package.json'))
  const { auth } = load('express-oauth2-jwt-bearer') as {
    auth(options: object): (req: object, res: object, next: (error?: Error) => void) => void
  }
  const service = await world(t, { through: 'port', realTime: true })
  const [ours, other] = [await signedIn(service), await signedIn(service)]
  const guard = auth({ issuerBaseURL: ours.issuer, audience: 'notes' })
  const { port } = await listen(t, (req, res) => {
    const call = Object.assign(req, {
      is: () => false,
      get: () => req.headers.host,
      query: {},
      protocol: 'http',
    }) as typeof req & {
      auth?: { payload: { sub: string } }
    }
    guard(call, res, (error) => res.end(error?.name ?? call.auth?.payload.sub))
  })
  const open = async (token: string): Promise<string> => {
    const response = await fetch(`http://localhost:${port}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    return response.text()
  }
  assert.equal(await open(await ours.idToken('notes')), ours.subject)
  for (const token of [
    await ours.idToken('another'),
    await other.idToken('notes'),
    ours.access_token,
  ]) {
    assert.equal(await open(token), 'InvalidTokenError')
  }
})
