import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceFrom } from './account.ts'

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0'

test('a browser and its system are named, also where the browser names others', () => {
  for (const [userAgent, device] of [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`,
      'Firefox on iPhone',
    ],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Safari/537.36`, 'Chrome on ChromeOS'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Safari/537.36 Edg/142.0.0.0`,
      'Edge on Windows',
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${BLINK} Safari/537.36 OPR/120.0.0.0`,
      'Opera on macOS',
    ],
    [
      `Mozilla/5.0 (Linux; Android 14; SM-S911B) ${BLINK} SamsungBrowser/28.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.5 Safari/605.1.15`,
      'Safari on macOS',
    ],
    [
      `Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) ${WEBKIT} Version/18.5 Mobile/15E148 Safari/604.1`,
      'Safari on iPad',
    ],
    ['curl/8.5.0 (Linux)', 'Linux'],
  ] as const) {
    assert.equal(deviceFrom(userAgent), device, userAgent)
  }
})

test('of a browser on an unknown system, or a system alone, that name is kept', () => {
  assert.equal(deviceFrom('Firefox/1'), 'Firefox')
  assert.equal(deviceFrom('Linux'), 'Linux')
  assert.equal(deviceFrom('Firefox/1 Linux '.padEnd(500, 'x')), 'Firefox on Linux')
  assert.equal(deviceFrom('Firefox/1 Linux '.padEnd(501, 'x')), null)
})

test('nothing of an unknown or an overlong header is kept', () => {
  for (const userAgent of [
    undefined,
    '',
    'curl/8.5.0',
    '<b>my-agent</b>',
    `Firefox/1 Linux ${'x'.repeat(500)}`,
  ]) {
    assert.equal(deviceFrom(userAgent), null)
  }
})
