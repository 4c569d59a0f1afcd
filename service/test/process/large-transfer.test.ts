import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { IMPORT_MAX_ROWS } from '@gatehouse-auth/contract'
import { claim } from '../support/actors/claim.ts'
import { runOperatorCommand } from '../support/actors/operator-command.ts'
import { databaseFor, type Engine } from '../support/postgres/engines.ts'
import {
  newTenant,
  type ServiceProcess,
  startService,
  type TestScope,
} from '../support/process/service-process.ts'
import { long } from '../support/tags.ts'
import { freePort } from '../support/transport/free-port.ts'

const USERS = Number(process.env.TRANSFER_USERS ?? 100_000)

test('100,000 users leave SQLite, live in two projects on PostgreSQL and come back to SQLite, byte for byte', {
  skip: long,
}, async (t) => {
  // The same port every time: the development Google's issuer has it.
  const PORT = String(await freePort())
  const seeded = await transfer(t, { engine: 'sqlite', PORT }, [
    usersOf(`http://localhost:${PORT}/dev/google`),
  ])
  const lines = seeded.trimEnd().split('\n')
  assert.equal(lines.length, USERS)
  const identities = lines.reduce(
    (count, line) => count + Math.max(1, JSON.parse(line).identities.length),
    0,
  )
  assert.equal(identities, USERS + Math.ceil((USERS - 3) / 10))
  const inPostgres = await transfer(t, { engine: 'postgres', PORT }, [seeded, seeded])
  assert.equal(
    digest(inPostgres),
    digest(seeded),
    'SQLite to PostgreSQL, and there from one project to another',
  )
  assert.equal(
    digest(await transfer(t, { engine: 'sqlite', PORT }, [inPostgres])),
    digest(seeded),
    'and back',
  )
})

interface Target {
  readonly engine: Engine
  readonly PORT: string
}

/** Imports each text into a project of its own. All exports must be equal; returns them. */
async function transfer(
  t: TestScope & { diagnostic(text: string): void },
  target: Target,
  texts: readonly string[],
) {
  const { engine, PORT } = target
  const service = await startService(t, { ...(await databaseFor(t, engine)), PORT })
  const exports = new Set<string>()
  for (const text of texts) {
    const tenant = await newTenant(service)
    await claim(tenant, service.browser())
    const tiered = await runOperatorCommand(
      service.settings,
      'account',
      'set-tier',
      'ada@example.com',
      'pro',
    )
    assert.equal(tiered.status, 0, tiered.stderr)
    const lines = text.trimEnd().split('\n')
    const imported = usageOf(service)
    for (let from = 0; from < lines.length; from += IMPORT_MAX_ROWS) {
      const body = `${lines.slice(from, from + IMPORT_MAX_ROWS).join('\n')}\n`
      const headers = { 'Content-Type': 'application/x-ndjson' }
      const sent = await service.agent.call('POST', '/api/social-login/import', {
        key: tenant.key,
        body,
        headers,
      })
      assert.equal(
        sent.json.created,
        Math.min(IMPORT_MAX_ROWS, lines.length - from),
        sent.text.slice(0, 500),
      )
    }
    t.diagnostic(`${engine}: import ${imported()}`)
    const exported = usageOf(service)
    const { text: all } = await tenant.manage('GET', '/api/social-login/export')
    t.diagnostic(`${engine}: export ${exported()}, ${Math.round(all.length / 2 ** 20)} MiB`)
    exports.add(all)
  }
  await service.end('SIGTERM')
  const [exported = '', ...others] = exports
  assert.equal(others.length, 0, 'every project exports the same')
  return exported
}

/** Wall and processor time from now on, and the most memory that the process had until then. */
function usageOf({ child }: ServiceProcess): () => string {
  const started = performance.now()
  const before = cpuOf(child.pid)
  return () => {
    const [, kilobytes] =
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
    const wall = (performance.now() - started) / 1_000
    return `${wall.toFixed(1)} s, ${(cpuOf(child.pid) - before).toFixed(1)} s of CPU, at most ${Math.round(Number(kilobytes) / 1_024)} MB`
  }
}

/** User and system time in seconds: fields 14 and 15, in ticks of 10 ms. */
function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const NAMES = [
  'Ada Lovelace',
  'Zoë 𝒵 "the" O’Neil',
  'محمد علي',
  '山田 太郎',
  'A\u030angstro\u0308m, Co.',
  '😀 Emoji',
] as const

/** Of four providers, every tenth with a second identity and every twentieth with a pinned one. */
function usersOf(google: string): string {
  const issuers = [
    google,
    'https://github.com',
    'https://appleid.apple.com',
    'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
  ]
  const lines: string[] = []
  for (let at = 0; at < USERS; at++) {
    const seen = new Date(Date.UTC(2024, 0, 1) + at * 61_001).toISOString()
    const profile = {
      issuer: issuers[at % 4],
      subject: at % 97 === 0 ? `${at}`.padEnd(255, 'x') : `subject-${at}`,
      email: `user${at}@example.com`,
      name: at % 11 === 0 ? null : `${NAMES[at % NAMES.length]} ${at}`,
      picture: at % 3 === 0 ? `https://pictures.example/${at}.png` : null,
    }
    const second = {
      ...profile,
      issuer: issuers[(at + 1) % 4],
      subject: `second-${at}`,
      email: `second${at}@example.com`,
    }
    const identities =
      at % 10 === 3
        ? [
            { ...profile, pinned: at % 20 === 3, last_seen: seen },
            { ...second, pinned: false, last_seen: '2024-01-01T00:00:00.000Z' },
          ]
        : []
    const claims =
      at % 5 === 0
        ? { role: 'admin', level: at, beta: at % 2 === 0, teams: ['red', `team-${at}`] }
        : {}
    const metadata =
      at % 4 === 0 ? { plan: { name: 'pro', seats: at }, note: 'Grüße\n"quoted"' } : {}
    const times = { first_seen: '2023-12-31T23:59:59.999Z', last_seen: seen }
    lines.push(
      JSON.stringify({ ...profile, ...times, blocked: at % 7 === 0, metadata, claims, identities }),
    )
  }
  return lines.join('\n')
}

const digest = (text: string): string => hash('sha256', text)
