import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_ERRORS, ENDPOINTS, type Endpoint } from '@gatehouse-auth/contract'
import { errorText, waitText } from './error-page.ts'
import { ENGLISH, languageIn } from './languages/language.ts'

const NOW = Date.parse('2026-11-15T14:03:20Z')

const rateLimited = (window: string, now = NOW) =>
  errorText({ code: 'rateLimited', message: 'For the developer.', details: { window } }, now)

/** An unknown address has a page of its own, and a retired one has none. */
const OF_ADDRESSES = ['unknownRoute', 'methodNotAllowed', 'endpointRetired']

test('every error that a user can see on a page has a title of its own', () => {
  const endpoints: readonly Endpoint[] = ENDPOINTS
  const ofLoginLinks = endpoints
    .filter(({ ok }) => ok.status === 302)
    .flatMap(({ errors }) => errors)
  const ofEndpoints = new Set<string>(endpoints.flatMap(({ errors }) => errors))
  const ofPagesAlone = Object.keys(API_ERRORS).filter((code) => !ofEndpoints.has(code))

  const titles = Object.keys(ENGLISH.messages.errors.title)
  const shown = new Set([...ofLoginLinks, ...ofPagesAlone])
  const untitled = [...shown].filter(
    (code) => !titles.includes(code) && !OF_ADDRESSES.includes(code),
  )
  assert.deepEqual(
    untitled,
    [],
    'no endpoint has them, and service/content/languages/en.json neither',
  )
})

test('a used-up minute says that the sign-in has not started', () => {
  assert.deepEqual(rateLimited('minute'), {
    title: 'Too many sign-ins right now',
    message: 'Your sign-in hasn’t started.',
  })
})

test('a used-up month says when it resets', () => {
  assert.equal(
    rateLimited('month').message,
    'This app has reached its monthly sign-in limit. It resets on 1 December.',
  )
  assert.match(
    rateLimited('month', Date.parse('2026-12-31T23:59:59Z')).message,
    /resets on 1 January\./,
  )
})

test('a used-up trial says that the developer needs to claim the app', () => {
  const words = 'This app has reached its trial limit. Its developer needs to claim it.'
  assert.equal(
    errorText({ code: 'tenantPaused', message: '', details: undefined }, NOW).message,
    words,
  )
  const tenantEndsAt = Date.parse('2026-11-18T12:00:00Z')
  assert.equal(
    errorText({ code: 'tenantPaused', message: '', details: undefined, tenantEndsAt }, NOW).message,
    'This app has reached its trial limit. Its developer needs to claim it by 18 November, when the trial ends.',
  )
})

test('an error without words for users shows the message of the API error', () => {
  assert.deepEqual(
    errorText(
      { code: 'invalidRequest', message: 'Press Approve or Deny.', details: undefined },
      NOW,
    ),
    {
      title: 'This link doesn’t work',
      message: 'Press Approve or Deny.',
    },
  )
})

// proves C239
test('in German, the month resets on a German day, and a message that exists in English only is left to the report', async () => {
  const german = await languageIn('de')
  const month = {
    code: 'rateLimited',
    message: 'For the developer.',
    details: { window: 'month' },
  } as const
  assert.match(errorText(month, NOW, german).message, /1\. Dezember/)
  const form = {
    code: 'invalidRequest',
    message: 'Press Approve or Deny.',
    details: undefined,
  } as const
  assert.deepEqual(errorText(form, NOW, german), {
    title: german.messages.errors.title.invalidRequest,
    message: german.messages.errors.message.other,
  })
})

test('a used-up minute says in how many seconds to try again, in each language', async () => {
  for (const [tag, words] of [
    ['en', /^Try again in 42 seconds\.$/],
    ['de', /^Versuchen Sie es in 42 Sekunden noch einmal\.$/],
    ['pl', /^Spróbuj ponownie za 42 sekundy\.$/],
    ['ja', /^42 秒後にもう一度お試しください。$/],
  ] as const) {
    assert.match(String(waitText(42, await languageIn(tag))).replaceAll(/<[^>]*>/g, ''), words)
  }
})
