import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CREDENTIALS_FILENAME,
  type Credentials,
  readCredentialsFile,
  writeCredentialsFile,
} from './credentials-file.ts'

const GUEST: Credentials = {
  base_url: 'http://localhost:8787',
  tenant_id: 'swift-fox-running-k3qd7',
  coh_management_key: `svc_man_${'a'.repeat(42)}`,
  coh_application_key: `svc_app_${'b'.repeat(42)}`,
  expires_at: '2026-01-04T00:00:00.000Z',
  tenant_lifecycle: 'ephemeral',
  runtime_profile: 'v1-1',
}
const CLAIMED: Credentials = {
  ...GUEST,
  base_url: 'https://svc.example/x',
  expires_at: null,
  tenant_lifecycle: 'claimed',
}

const file = writeCredentialsFile(GUEST)

function problemOf(text: string): string {
  const read = readCredentialsFile(text)
  assert.ok(!read.ok, `it was accepted:\n${text}`)
  return read.problem
}

// proves C029
test('the file is called .service', () => assert.equal(CREDENTIALS_FILENAME, '.service'))

test('a written credentials file reads back the same', () => {
  for (const credentials of [GUEST, CLAIMED]) {
    assert.deepEqual(readCredentialsFile(writeCredentialsFile(credentials)), {
      ok: true,
      credentials,
    })
  }
})

test('a credentials file starts with how to keep it secret, followed by the fields in order', () => {
  const lines = writeCredentialsFile(CLAIMED).split('\n')
  const comments = lines.filter((line) => line.startsWith('#'))
  assert.deepEqual(lines.slice(0, comments.length), comments)
  for (const advice of [/secret/, /0600/, /never commit/]) {
    assert.match(comments.join('\n'), advice)
  }
  assert.deepEqual(lines.slice(comments.length), [
    'base_url=https://svc.example/x',
    'tenant_id=swift-fox-running-k3qd7',
    `coh_management_key=svc_man_${'a'.repeat(42)}`,
    `coh_application_key=svc_app_${'b'.repeat(42)}`,
    'expires_at=',
    'tenant_lifecycle=claimed',
    'runtime_profile=v1-1',
    '',
  ])
})

test('a credentials file with changed line endings, spacing, order or unknown keys still reads', () => {
  const touched = [
    file.replaceAll('\n', '\r\n'),
    file.replaceAll('\n', '\r'),
    `\uFEFF${file}`,
    file.replaceAll('\n', '\n\n'),
    file.trimEnd(),
    file.replaceAll('=', ' = '),
    file.replaceAll('\n', '  \n'),
    `${file}future_field=a=b\n__proto__=x\nconstructor=x\n  # a remark\n`,
    file.split('\n').reverse().join('\n'),
  ]
  for (const text of touched) {
    assert.deepEqual(readCredentialsFile(text), { ok: true, credentials: GUEST }, text)
  }
})

test('a credentials file with a missing or repeated field is rejected, naming the field or the line', () => {
  for (const field of Object.keys(GUEST)) {
    const without = file.replace(new RegExp(`^${field}=.*\n`, 'm'), '')
    assert.match(problemOf(without), new RegExp(`has no ${field}`))
    assert.match(problemOf(`${file}${field}=x\n`), /Line 10 repeats/)
  }
  assert.match(problemOf(`${file}future=1\nfuture=1\n`), /Line 11 repeats/)
  assert.match(problemOf(''), /has no base_url, tenant_id, coh_management_key/)
})

test('an invalid value in a credentials file is rejected, and the problem does not repeat it', () => {
  const cases = [
    ['base_url', 'localhost:8787'],
    ['base_url', 'javascript:secret()'],
    ['tenant_id', 'Secret Fox'],
    ['tenant_id', ''],
    ['coh_management_key', `svc_app_secret`],
    ['coh_application_key', `svc_man_secret`],
    ['expires_at', 'secretly tomorrow'],
    ['tenant_lifecycle', 'secret'],
    ['runtime_profile', 'secret profile'],
  ] as const
  for (const [field, value] of cases) {
    const problem = problemOf(file.replace(new RegExp(`^${field}=.*$`, 'm'), `${field}=${value}`))
    assert.match(problem, new RegExp(field))
    assert.doesNotMatch(problem, /secret/i)
  }
})

test('a line that is not key=value is rejected by its number, and the problem does not repeat it', () => {
  for (const line of [
    'svc_man_secret',
    '=svc_man_secret',
    '{"coh_management_key":"svc_man_secret"}',
  ]) {
    const problem = problemOf(`${line}\n${file}`)
    assert.match(problem, /Line 1 /)
    assert.doesNotMatch(problem, /svc_man_secret/)
  }
})

test('a value with a line break is not written to a credentials file', () => {
  const injected = 'v1-1\ncoh_management_key=svc_man_x'
  for (const field of ['base_url', 'tenant_id', 'runtime_profile', 'expires_at'] as const) {
    assert.throws(
      () => writeCredentialsFile({ ...GUEST, [field]: `${GUEST[field]}\n${injected}` }),
      field,
    )
    assert.throws(() => writeCredentialsFile({ ...GUEST, [field]: `${GUEST[field]}\r` }), field)
  }
})
