import assert from 'node:assert/strict'
import type { ApiResponse } from './agent.ts'
import type { Page } from './browser.ts'

interface ExpectedSecurity {
  readonly openerPolicy?: string
  /** A public page may have scripts of this site, which the policy names. */
  readonly scripts?: boolean
}

/** Every HTML page has these security headers, and no inline script, frame or inline style; most have no script at all. */
export function assertPageSecurity(
  what: string,
  { status, headers, text }: Page | ApiResponse,
  expected: number,
  { openerPolicy = 'same-origin', scripts = false }: ExpectedSecurity = {},
): void {
  assert.equal(status, expected, what)
  assert.match(headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/i, what)
  const policy = headers.get('content-security-policy') ?? ''
  for (const rule of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ]) {
    assert.ok(policy.includes(rule), `${what}: ${policy}`)
  }
  assert.deepEqual(
    policy.match(/(?:style|img|font|media)-src[^;]*/g),
    ["style-src 'self'", "img-src 'self'"],
    what,
  )
  assert.doesNotMatch(policy, /unsafe|\*/, what)
  const scriptPolicy = /(?:script|connect)-src[^;]*/g
  assert.deepEqual(
    policy.match(scriptPolicy),
    scripts ? ["script-src 'self'", "connect-src 'self'"] : null,
    what,
  )
  assert.deepEqual(
    [
      'x-frame-options',
      'referrer-policy',
      'cache-control',
      'x-content-type-options',
      'cross-origin-opener-policy',
    ].map((name) => headers.get(name)),
    ['DENY', 'no-referrer', 'no-store', 'nosniff', openerPolicy],
    what,
  )
  assert.match(headers.get('x-request-id') ?? '', /^[\w-]{16}$/, what)
  const ownScript = /<script type="module" src="\/assets\/[^"]+"><\/script>/g
  assert.doesNotMatch(
    scripts ? text.replaceAll(ownScript, '') : text,
    /<script|javascript:|\son[a-z]+=|<iframe|<style|\sstyle=|src="http/i,
    what,
  )
}
