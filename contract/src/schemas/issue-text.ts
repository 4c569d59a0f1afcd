import type { z } from 'zod'

const TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'a JSON object'],
  ['null', 'null'],
])

/** What a minimum or maximum counts; numbers have no unit. */
const UNITS: ReadonlyMap<string, string> = new Map([
  ['string', ' characters'],
  ['array', ' entries'],
])

/**
 * The message for a value that does not match its schema: what to send. For schemas without a message of their own, as
 * `schema.safeParse(value, { error: issueText })`. Never contains the value, which may be a secret.
 */
export const issueText: z.core.$ZodErrorMap = (issue) => {
  const missing = issue.input === undefined ? 'It is missing. ' : ''
  switch (issue.code) {
    case 'invalid_type':
      return `${missing}Send ${TYPES.get(issue.expected) ?? issue.expected}.`
    case 'invalid_value':
      return `${missing}Send ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => JSON.stringify(value)).join(', ')}.`
    case 'too_small':
      return `Send at least ${issue.minimum}${UNITS.get(issue.origin) ?? ''}.`
    case 'too_big':
      return `Send at most ${issue.maximum}${UNITS.get(issue.origin) ?? ''}.`
    default:
      return `${missing}It does not match the schema in the API reference.`
  }
}
