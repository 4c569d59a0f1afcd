import { type Command, readListing, UsageProblem } from './command.ts'

export const listFeedback: Command = async (args, { stores, say }) => {
  const { after, limit, json } = readListing(args, '0')
  if (!/^\d{1,15}$/.test(after)) throw new UsageProblem('--after takes the number of an entry.')
  const entries = await stores.feedback.page(Number(after), limit)
  for (const { id, tenantId, kind, text, createdAt } of entries) {
    const at = new Date(createdAt).toISOString()
    if (json) say(JSON.stringify({ id, tenant_id: tenantId, kind, feedback: text, created_at: at }))
    else say(`#${id}  ${at.slice(0, 16)}Z  ${kind}  ${tenantId}\n${readable(text)}\n`)
  }
  if (!json && entries.length === limit) say(`More: --after ${entries.at(-1)?.id}`)
}

/** What strangers wrote must not move the operator's cursor or colour their terminal. */
const readable = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is taken out
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ')
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
