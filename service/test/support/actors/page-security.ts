import assert from 'node:assert/strict'
import type { ApiResponse } from './agent.ts'
import type { Page } from './browser.ts'

/** Every HTML page has these security headers, and no script, frame or inline style. */
export function assertPageSecurity(
  what: string,
  { status, headers, text }: Page | ApiResponse,
  expected: number,
  openerPolicy = 'same-origin',
): void {
  assert.equal(status, expected, what)
  assert.match(headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/i, what)
  const policy = headers.get('content-security-policy') ?? ''
  for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"]) {
    assert.ok(policy.includes(rule), `${what}: ${policy}`)
  }
  assert.doesNotMatch(policy, /unsafe|script-src|\*/, what)
  assert.deepEqual(
    ['x-frame-options', 'referrer-policy', 'cache-control', 'x-content-type-options', 'cross-origin-opener-policy'].map(
      (name) => headers.get(name),
    ),
    ['DENY', 'no-referrer', 'no-store', 'nosniff', openerPolicy],
    what,
  )
  assert.match(headers.get('x-request-id') ?? '', /^[\w-]{16}$/, what)
  assert.doesNotMatch(text, /<script|javascript:|\son[a-z]+=|<iframe|<style|\sstyle=|src="http/i, what)
}
