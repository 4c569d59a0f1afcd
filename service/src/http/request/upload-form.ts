import { invalidRequest } from '../../domain/api-error.ts'
import type { Call } from '../dependencies.ts'
import { readBytes, readForm } from './body.ts'

export interface UploadForm {
  readonly form: URLSearchParams
  /** null: none was chosen. */
  readonly file: Uint8Array | null
}

/** Parses a form with a file (RFC 7578). No field and no file may come twice. */
export async function readUploadForm(c: Call, limit: number): Promise<UploadForm> {
  const type = c.req.header('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type)) return { form: await readForm(c, limit), file: null }
  const parts = [...(await parse(await readBytes(c, limit), type))]
  const names = parts.map(([name]) => name)
  if (new Set(names).size < names.length) throw malformed('A field of the form came twice.')
  const form = new URLSearchParams(parts.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
  const [file, ...others] = parts.flatMap(([, value]) => (typeof value === 'string' ? [] : [value]))
  if (others.length > 0) throw malformed('Send one file.')
  // Browsers send an empty file if none was chosen.
  return { form, file: file === undefined || file.size === 0 ? null : new Uint8Array(await file.arrayBuffer()) }
}

async function parse(bytes: Uint8Array, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type } }).formData()
  } catch {
    throw malformed('The form is not valid multipart/form-data.')
  }
}

const malformed = (problem: string) => invalidRequest(problem, [{ path: '', problem }])
