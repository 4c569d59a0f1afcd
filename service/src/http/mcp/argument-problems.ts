import type { z } from 'zod'
import type { InputProblem } from '../../domain/api-error.ts'
import type { Caller } from './caller.ts'

/**
 * Validation problems by path. Prevents echoing secrets: messages come from the schema and contain no value that was sent;
 * the names of unknown fields are shown if they look like names (and `errorText` scrubs them).
 */
export function argumentProblems(schema: z.ZodObject, error: z.ZodError, caller: Caller): InputProblem[] {
  return error.issues.map((issue) => {
    const path = issue.path.map(String).join('.')
    if (issue.code !== 'unrecognized_keys') return { path, problem: issue.message }
    if (caller.kind === 'oauth' && issue.keys.includes('coh_management_key')) {
      return { path: 'coh_management_key', problem: 'Leave it out: with an OAuth token no management key is needed.' }
    }
    const takes = path === '' ? ` It takes: ${Object.keys(schema.shape).join(', ')}.` : ''
    return { path, problem: `${unknownFields(issue.keys)}${takes}` }
  })
}

const NAMES_MAX = 5

function unknownFields(keys: readonly string[]): string {
  const names = keys.filter((key) => /^[A-Za-z_][\w-]{0,39}$/.test(key)).slice(0, NAMES_MAX)
  if (names.length === 0) return 'There is a field here that this tool does not have.'
  const more = keys.length > names.length ? ` and ${keys.length - names.length} more` : ''
  return `This tool has no ${keys.length === 1 ? 'field' : 'fields'} ${names.join(', ')}${more}.`
}
