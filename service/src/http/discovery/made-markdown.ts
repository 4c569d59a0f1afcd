import { API_ERRORS } from '@gatehouse/contract'
import { ERROR_FIELDS, ERROR_SAMPLE } from './error-reference-page.ts'
import { DOCS, type DocsPage, MIGRATIONS } from './page-list.ts'

// Pages that are made from lists, so that nothing can be missing from them.

const line = ({ path, label, summary }: DocsPage): string => `- [${label}](${path}): ${summary}`

export const docsIndexMarkdown = (): string =>
  [
    '# Documentation',
    'Gatehouse runs the whole Google sign-in for your app, so nobody has to set anything up at Google. A coding agent sets it up in one call; a person can do it by hand in three.',
    ...DOCS.flatMap(({ title, pages }) => [`## ${title}`, pages.map(line).join('\n')]),
    '## For programs',
    [
      '- [openapi.json](/openapi.json): the OpenAPI 3.1 description, for generated clients',
      '- [llms.txt](/llms.txt) and [llms-full.txt](/llms-full.txt): instructions for agents, short and whole',
      '- [auth.md](/auth.md): how an agent gets and keeps credentials',
      '- [mcp.json](/.well-known/mcp.json): where the MCP server is, and how to sign in to it',
      '- [offerings](/offerings) and [developers](/developers): what there is, and where',
    ].join('\n'),
    'Every page here is also Markdown: add `.md` to its address, or send `Accept: text/markdown`.',
  ].join('\n\n')

export const migrationsMarkdown = (): string =>
  [
    '# Migrations',
    'What was retired says so in its answers, with `Deprecation`, `Sunset` and a `Link` to one of these pages. [Versioning](/docs/versioning) has the rules.',
    MIGRATIONS.map(line).join('\n'),
  ].join('\n\n')

/** The same as the page for people (pages/error-reference.ts). */
export const errorsMarkdown = (): string =>
  [
    '# Errors',
    'Every refusal has a code that does not change. Decide by the code; show the message to a person.',
    `\`\`\`json\n${ERROR_SAMPLE}\n\`\`\``,
    ['| Field | Meaning |', '|---|---|', ...ERROR_FIELDS.map(([name, meaning]) => `| \`${name}\` | ${meaning} |`)].join(
      '\n',
    ),
    '## Codes',
    ...Object.entries(API_ERRORS).map(
      ([code, { status, retryable, meaning }]) =>
        `### ${code} {#${code}}\n\n**${status}**${retryable ? ', try again later' : ''}. ${meaning}`,
    ),
  ].join('\n\n')
