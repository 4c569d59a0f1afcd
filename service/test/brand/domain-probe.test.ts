import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { domainProbe } from '../../src/identity/domain-probe.ts'
import type { Resolve } from '../../src/identity/public-https.ts'
import { manualTimeouts } from '../support/faults/manual-timeouts.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { listen } from '../support/transport/listen.ts'
import { PUBLIC_ADDRESS, publicSite, type Serve } from '../support/transport/public-site.ts'

const PROOFS = {
  value: 'gatehouse-verification=x',
  recordName: null,
  fileUrl: 'https://client.example/.well-known/gatehouse.txt',
}
const NOTHING = { dns: 'absent', file: 'absent' }

async function site(t: TestContext, serve: Serve, resolve?: Resolve) {
  const found = await publicSite(t, serve, resolve)
  const probe = domainProbe({ loopback: false, network: found.network })
  return { ...found, probe: (fileUrl = PROOFS.fileUrl) => probe({ ...PROOFS, fileUrl }) }
}

// proves C329
test('the file of a domain is read over https', async (t) => {
  const { probe, requests } = await site(t, (_req, res) => res.end(`other\n${PROOFS.value}\n`))
  assert.deepEqual(await probe(), { dns: 'absent', file: 'found' })
  assert.deepEqual(requests, ['GET /.well-known/gatehouse.txt'])
})

test('a record of a domain is the value in its parts; another text and an empty one are told apart', async () => {
  const asked: string[] = []
  const dnsOf = async (...records: string[][]) => {
    const resolveTxt = async (name: string) => {
      asked.push(name)
      return records
    }
    const resolve = async () => Promise.reject(new Error('ENOTFOUND'))
    return (
      await domainProbe({ network: { resolve, resolveTxt } })({
        ...PROOFS,
        recordName: '_gatehouse.client.example',
      })
    ).dns
  }
  assert.equal(await dnsOf(['other'], ['gatehouse-', 'verification=x ']), 'found')
  assert.equal(await dnsOf(['other']), 'other')
  assert.equal(await dnsOf(['']), 'absent')
  assert.equal(await dnsOf(), 'absent')
  assert.deepEqual(new Set(asked), new Set(['_gatehouse.client.example']))
})

test('the file of a domain may have 8 KiB', async (t) => {
  for (const [bytes, file] of [
    [8 * 1_024, 'found'],
    [8 * 1_024 + 1, 'absent'],
  ] as const) {
    const { probe } = await site(t, (_req, res) => res.end(`${PROOFS.value}\n`.padEnd(bytes, '\n')))
    assert.equal((await probe()).file, file)
  }
})

// proves S065
test('the file of a domain is not requested at a private address, which looks like an unknown name (SSRF)', async (t) => {
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '::1',
    '::ffff:169.254.169.254',
  ]) {
    const family = address.includes(':') ? 6 : 4
    for (const addresses of [[{ address, family }], [...PUBLIC_ADDRESS, { address, family }]]) {
      const { probe, connections } = await site(
        t,
        (_req, res) => res.end(PROOFS.value),
        async () => addresses,
      )
      assert.deepEqual(await probe(), NOTHING)
      assert.equal(connections(), 0)
    }
  }
})

// proves S065
test('an address or plain http in the place of a host is not requested', async (t) => {
  const { probe, connections, port } = await site(t, (_req, res) => res.end(PROOFS.value))
  for (const origin of [
    `https://127.0.0.1:${port}`,
    `http://localhost:${port}`,
    'http://client.example',
  ]) {
    assert.deepEqual(await probe(`${origin}/.well-known/gatehouse.txt`), NOTHING)
  }
  assert.equal(connections(), 0)
  const local = await listen(t, (_req, res) => res.end(PROOFS.value))
  const probeLocally = domainProbe({ loopback: true })
  const fileUrl = `http://localhost:${local.port}/.well-known/gatehouse.txt`
  assert.equal((await probeLocally({ ...PROOFS, fileUrl })).file, 'found')
})

// proves S065
test('a redirect, an error page and an endless file prove nothing, whatever they contain', async (t) => {
  for (const status of [301, 302, 307, 404, 500]) {
    const { probe, requests } = await site(t, (_req, res) =>
      res.writeHead(status, { Location: 'https://client.example/other' }).end(PROOFS.value),
    )
    assert.deepEqual(await probe(), NOTHING)
    assert.equal(requests.length, 1)
  }
  const endless = await site(t, (_req, res) => {
    res.write(`${PROOFS.value}\n`)
    const more = (): void => {
      while (!res.destroyed && res.write(Buffer.alloc(4_096, 'x'))) {}
      if (!res.destroyed) {
        res.once('drain', more)
      }
    }
    more()
  })
  assert.deepEqual(await endless.probe(), NOTHING)
})

test('a host that never answers is absent after five seconds', async (t) => {
  const timeouts = manualTimeouts(t, 5_000)
  const { probe, requests } = await site(t, () => {})
  const probing = probe()
  await waitUntil('it was asked', () => requests.length === 1)
  timeouts.expire()
  assert.deepEqual(await probing, NOTHING)
})
