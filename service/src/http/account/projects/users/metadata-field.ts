import { issueText, UserMetadata } from '@gatehouse/contract'
import { ApiError } from '../../../../domain/api-error.ts'
import { parseJson } from '../../../request/body.ts'

export type ReadMetadata = { readonly metadata: string } | { readonly problem: string }

/** The metadata in a form field, checked as the API checks it, with the same messages. */
export function readMetadataField(text: string): ReadMetadata {
  try {
    const read = UserMetadata.safeParse(parseJson(text.trim() === '' ? '{}' : text), { error: issueText })
    return read.success
      ? { metadata: JSON.stringify(read.data) }
      : { problem: read.error.issues[0]?.message ?? 'Send a JSON object.' }
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.message.replace('The body', 'The metadata') }
    throw error
  }
}
