import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '../domain/api-error.ts'
import { Conflict, classifyError } from './database-errors.ts'

const errorOf = (fields: object): Error => Object.assign(new Error('from the driver'), fields)

test('an error that says nothing about the request is Unavailable, a lost race is a Conflict, and a bug stays an error', () => {
  const network =
    'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH EHOSTDOWN'
  const process = 'EMFILE ENFILE ERR_INVALID_STATE'
  const server = '08006 25006 25P03 53300 55000 55P03 57014 57P01 58030'
  for (const code of `${network} ${process} ${server}`.split(' ')) {
    const found = classifyError(errorOf({ code }))
    assert.ok(found instanceof Unavailable && !(found instanceof Conflict), code)
  }
  for (const errcode of [5, 6, 8, 10, 13, 14, 10 | (4 << 8)]) {
    assert.ok(
      classifyError(errorOf({ errcode, code: 'ERR_SQLITE_ERROR' })) instanceof Unavailable,
      String(errcode),
    )
  }
  for (const code of ['40001', '40P01']) {
    assert.ok(classifyError(errorOf({ code })) instanceof Conflict, code)
  }
  for (const fields of [
    { code: '23505' },
    { code: 'XECONNRESET' },
    { code: 'EPIPES' },
    { errcode: 19 },
    {},
  ]) {
    const error = errorOf(fields)
    assert.equal(classifyError(error), error)
  }
  assert.equal(classifyError('no error'), 'no error')
})
