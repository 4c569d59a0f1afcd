import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../service/test/support/generated.ts'
import { type Credentials, readCredentialsFile, writeCredentialsFile } from './credentials-file.ts'

const base62 = fc.stringMatching(/^[0-9A-Za-z]{1,50}$/)
// Not fc.webUrl: building it takes longer than all other rule tests together.
const segment = fc.stringMatching(/^(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-F]{2}){0,8}$/)
const baseUrl = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    host: fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,10}[a-z0-9])?(?:\.[a-z]{2,6}){0,2}$/),
    port: fc.option(fc.integer({ min: 1, max: 65_535 })),
    path: fc.array(segment, { maxLength: 3 }),
  })
  .map(
    ({ scheme, host, port, path }) =>
      `${scheme}://${host}${port === null ? '' : `:${port}`}${path.map((each) => `/${each}`).join('')}`,
  )
const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
const credentials: fc.Arbitrary<Credentials> = fc.record(
  {
    base_url: baseUrl,
    tenant_id: fc.array(word, { minLength: 2, maxLength: 5 }).map((words) => words.join('-')),
    coh_management_key: base62.map((body) => `svc_man_${body}`),
    coh_application_key: base62.map((body) => `svc_app_${body}`),
    expires_at: fc.option(
      fc
        .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((at) => at.toISOString()),
    ),
    tenant_lifecycle: fc.constantFrom('ephemeral' as const, 'claimed' as const),
    runtime_profile: fc.stringMatching(/^[a-z0-9.-]{1,12}$/),
  },
  { noNullPrototype: true },
)

test('a written credentials file reads back the same, with any line endings and added comments', () => {
  const endings = fc.constantFrom('\n', '\r\n', '\r')
  const remark = fc.stringMatching(/^[ -~]{0,40}$/).map((text) => `# ${text}`)
  fc.assert(
    fc.property(
      credentials,
      endings,
      fc.array(remark, { maxLength: 3 }),
      fc.boolean(),
      (given, ending, remarks, marked) => {
        const file = writeCredentialsFile(given)
        assert.deepEqual(readCredentialsFile(file), { ok: true, credentials: given })
        const touched =
          (marked ? '\uFEFF' : '') + [...remarks, ...file.split('\n'), ...remarks].join(ending)
        assert.deepEqual(readCredentialsFile(touched), { ok: true, credentials: given })
      },
    ),
    { numRuns: 300 },
  )
})

const line = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc
    .constantFrom('base_url', 'tenant_id', 'coh_management_key', '__proto__', 'constructor')
    .chain((name) => fc.string({ maxLength: 20 }).map((value) => `${name}=${value}`)),
)

test('reading a credentials file never throws, and a problem never repeats its contents', () => {
  fc.assert(
    fc.property(credentials, fc.array(line, { maxLength: 8 }), fc.nat(), (given, lines, at) => {
      readCredentialsFile(lines.join('\n'))
      // A valid file with lines inserted: still valid, or a problem in fixed words.
      const whole = writeCredentialsFile(given).split('\n')
      const read = readCredentialsFile(
        [...whole.slice(0, at % whole.length), ...lines, ...whole.slice(at % whole.length)].join(
          '\n',
        ),
      )
      if (read.ok) {
        assert.deepEqual(read.credentials, given)
      } else {
        assert.ok(!read.problem.includes(given.coh_management_key))
        assert.match(read.problem, /^(Line \d+ |The file has )[ -~]+$/)
      }
    }),
    { numRuns: 500 },
  )
})
