import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { waitUntil } from '../../service/test/support/process/wait-until.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { createLocalFixture } from './support/machine.ts'

test('dev opens /login of the app if that starts a login, and otherwise the login link, or the app if that is refused', async (t) => {
  const { machine, baseUrl, browser, tenant } = await createLocalFixture(t)
  await machine.run('init')
  const opened = path.join(machine.home, 'opened')
  const opener = `#!/bin/sh\nprintf %s "$1" > '${opened}.new' && mv '${opened}.new' '${opened}'\n`
  await writeFile(path.join(path.dirname(machine.bin), 'xdg-open'), opener, { mode: 0o755 })
  let location = `${baseUrl}/edge/auth/${(await tenant()).id}/google`
  const { port } = await listen(t, (_request, response) => {
    response
      .writeHead(location === '' ? 200 : 302, location === '' ? {} : { Location: location })
      .end()
  })
  const app = `http://localhost:${port}`
  await machine.run('provision', 'https://app.example.com/auth/callback', `${app}/auth/callback`)

  const started = await machine.run('dev')
  assert.deepEqual([started.code, started.stdout], [0, `Opening ${app}/login\n`], started.stderr)
  await waitUntil(
    'the browser is opened',
    async () => (await readFile(opened, 'utf8').catch(() => '')) !== '',
  )
  assert.equal(await readFile(opened, 'utf8'), `${app}/login`)

  for (const elsewhere of ['', '/login/', 'https://accounts.example.com/']) {
    location = elsewhere
    const { json } = await machine.run('dev', '--no-open', '--json')
    const link = `${baseUrl}/edge/auth/${(await tenant()).id}/google?redirect_uri=${encodeURIComponent(`${app}/auth/callback`)}`
    assert.equal(json[0].url, link)
    assert.equal((await browser().request(link)).status, 302)
  }
  assert.deepEqual(await (await tenant()).eventKinds(), [
    'login_started',
    'login_started',
    'login_started',
  ])

  await machine.run('settings', 'callback_mode=code')
  const inPage = await machine.run('dev', '--no-open')
  assert.deepEqual([inPage.stdout, inPage.code], [`Open ${app}/\n`, 0], 'the link would be refused')
  assert.match(inPage.stderr, /The login link is refused, because callback_mode is code/)
  location = `${baseUrl}/edge/auth/${(await tenant()).id}/google`
  assert.equal((await machine.run('dev', '--no-open')).stdout, `Open ${app}/login\n`)
})

test('dev says what is missing: the callback on this machine, or the running app', async (t) => {
  const { machine } = await createLocalFixture(t)
  await machine.run('init')
  const none = await machine.expectProblem(1, 'notProvisioned', 'dev', '--no-open')
  assert.match(none.next, /provision --add http:\/\/localhost:3000\/auth\/callback/)
  const app = `http://localhost:${await freePort()}`
  await machine.run('provision', 'http://localhost/cb', 'https://*.example.com/cb')
  const stopped = await machine.expectProblem(1, 'appUnreachable', 'dev', '--no-open', '--app', app)
  assert.ok(stopped.message.includes(app), stopped.message)
  const other = await machine.expectProblem(
    1,
    'notProvisioned',
    'dev',
    '--app',
    'http://127.0.0.1:3000',
  )
  assert.match(other.next, /--add http:\/\/127\.0\.0\.1:3000\/auth\/callback/)
  await machine.expectProblem(2, 'usage', 'dev', '--app', 'https://app.example.com')

  const { port } = await listen(t, (_request, response) => void response.end())
  const { json } = await machine.run(
    'dev',
    '--no-open',
    '--json',
    '--app',
    `http://localhost:${port}`,
  )
  assert.ok(
    json[0].url.endsWith(encodeURIComponent(`http://localhost:${port}/cb`)),
    'a callback without a port is any port',
  )
})
