import { type Command, readListing, UsageError } from './command.ts'

export const listFeedback: Command = async (args, { stores, print }) => {
  const { after, limit, json, only: tenantId } = readListing(args, '0', 'tenant')
  if (!/^\d{1,15}$/.test(after)) throw new UsageError('--after takes the number of an entry.')
  // One more than requested, to know whether there is another page.
  const found = await stores.feedback.page(Number(after), limit + 1, tenantId)
  const entries = found.slice(0, limit)
  for (const { id, tenantId: sender, kind, text, createdAt } of entries) {
    const at = new Date(createdAt).toISOString()
    if (json) print(JSON.stringify({ id, tenant_id: sender, kind, feedback: text, created_at: at }))
    else print(`#${id}  ${at.slice(0, 16)}Z  ${kind}  ${sender}\n${readable(text)}\n`)
  }
  if (!json && found.length > limit) print(`More: --after ${entries.at(-1)?.id}`)
}

/** Removes control characters: feedback text must not control the operator's terminal. */
const readable = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ')
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
