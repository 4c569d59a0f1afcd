import type { z } from 'zod'
import type { InputProblem } from '../../domain/invalid-request.ts'
import type { Caller } from './caller.ts'

/**
 * Validation problems by path. Prevents echoing secrets: messages come from the schema and contain neither a value that was
 * sent nor the name of an unknown field, because either may be a misplaced secret.
 */
export function argumentProblems(schema: z.ZodObject, error: z.ZodError, caller: Caller): InputProblem[] {
  return error.issues.map((issue) => {
    const path = issue.path.map(String).join('.')
    if (issue.code !== 'unrecognized_keys') return { path, problem: issue.message }
    if (caller.kind === 'oauth' && issue.keys.includes('coh_management_key')) {
      return { path: 'coh_management_key', problem: 'Leave it out: with an OAuth token no management key is needed.' }
    }
    const takes = path === '' ? ` It takes: ${Object.keys(schema.shape).join(', ')}.` : ''
    return { path, problem: `There is a field here that this tool does not have.${takes}` }
  })
}
