import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { callTool } from './call-tool.ts'
import type { Caller } from './caller.ts'
import { CACHE_HINTS, INFO, toolsFor } from './catalog.ts'
import type { ToolCall } from './tool.ts'
import { toolNamed } from './tools.ts'

type ReadHeader = (name: string) => string | undefined
type Fields = Readonly<Record<string, unknown>>

/**
 * Answers tools/list, and tools/call of a known tool, without the MCP library, whose server per request costs several times as
 * much as the call (docs/hot-path.md). Only messages that have nothing but the fields that every client sends; null for any
 * other, which the library answers or rejects. A test compares both answers.
 */
export async function answerOrdinary(
  readHeader: ReadHeader,
  body: object,
  call: ToolCall,
): Promise<string | null> {
  const { jsonrpc, id, method, params = {}, ...others } = body as Fields
  if (jsonrpc !== '2.0' || !isToken(id) || !isFields(params) || !isEmpty(others)) {
    return null
  }
  const { _meta, ...fields } = params
  const revision = revisionOf(readHeader, method, fields.name, _meta)
  if (revision === null) {
    return null
  }
  if (method === 'tools/list') {
    return isEmpty(fields) ? response(listText(call.caller, revision), id) : null
  }
  const { name, arguments: args = {}, ...unknown } = fields
  if (method !== 'tools/call' || typeof name !== 'string' || !isFields(args) || !isEmpty(unknown)) {
    return null
  }
  if (toolNamed(name) === undefined) {
    return null
  }
  const result = await callTool(call, name, args)
  return response(JSON.stringify(revision === '2026' ? in2026(result) : result), id)
}

const response = (result: string, id: unknown): string =>
  `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`

/** In the revision of 2026-07-28 every message has its envelope in `_meta`; in the ones before, `_meta` has none. */
function revisionOf(
  readHeader: ReadHeader,
  method: unknown,
  name: unknown,
  meta: unknown,
): '2025' | '2026' | null {
  const version = readHeader('mcp-protocol-version')
  if (meta !== undefined && !isFields(meta)) {
    return null
  }
  const { progressToken, ...envelope } = meta ?? {}
  if (progressToken !== undefined && !isToken(progressToken)) {
    return null
  }
  if (isEmpty(envelope)) {
    return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version) ? '2025' : null
  }
  if (
    version !== '2026-07-28' ||
    readHeader('mcp-method') !== method ||
    readHeader('mcp-name') !== name
  ) {
    return null
  }
  return isEnvelope(envelope) ? '2026' : null
}

function isEnvelope(envelope: Fields): boolean {
  const {
    [PROTOCOL_VERSION_META_KEY]: version,
    [CLIENT_INFO_META_KEY]: info,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    ...others
  } = envelope
  if (version !== '2026-07-28' || !isEmpty(others) || !isFields(capabilities)) {
    return false
  }
  if (
    !Object.entries(capabilities).every(([name, value]) => CAPABILITIES.has(name) && isEmpty(value))
  ) {
    return false
  }
  if (info === undefined) {
    return true
  }
  const { name, version: clientVersion, title = '', ...more } = isFields(info) ? info : {}
  return [name, clientVersion, title].every((text) => typeof text === 'string') && isEmpty(more)
}

const CAPABILITIES = new Set(['roots', 'sampling', 'elicitation'])

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isEmpty(value: unknown): boolean {
  if (!isFields(value)) {
    return false
  }
  for (const _name in value) {
    return false
  }
  return true
}

const isToken = (value: unknown): boolean =>
  typeof value === 'string' || Number.isSafeInteger(value)

const COMPLETE = { resultType: 'complete' }
const SERVER = { [SERVER_INFO_META_KEY]: INFO }

const in2026 = ({ _meta, ...result }: Fields): Fields => ({
  ...result,
  ...COMPLETE,
  _meta: { ...(_meta as Fields), ...SERVER },
})

/** The result of tools/list by its list and revision. There is one list for each set of scopes. */
const listTexts = { 2025: new Map<unknown, string>(), 2026: new Map<unknown, string>() }

function listText(caller: Caller, revision: '2025' | '2026'): string {
  const tools = toolsFor(caller)
  const known = listTexts[revision].get(tools)
  if (known !== undefined) {
    return known
  }
  const text = JSON.stringify(
    revision === '2026' ? in2026({ tools, ...CACHE_HINTS['tools/list'] }) : { tools },
  )
  listTexts[revision].set(tools, text)
  return text
}
