import { DOCS, type DocsPage, MIGRATIONS } from './page-list.ts'

// Pages that are generated from lists, so that they are always complete.

const line = ({ path, label, summary }: DocsPage): string => `- [${label}](${path}): ${summary}`

export const docsIndexMarkdown = (): string =>
  [
    '# Documentation',
    'Gatehouse runs “Sign in with Google” for your app, and you don’t need to set anything up at Google. One command creates a project, one import signs users in; a coding agent can do both for you.',
    ...DOCS.flatMap(({ title, pages }) => [
      `## ${title}`,
      pages
        .filter(({ parent }) => parent === undefined)
        .map(line)
        .join('\n'),
    ]),
    '## For programs',
    [
      '- [openapi.json](/openapi.json): the OpenAPI 3.1 document, for generated clients',
      '- [llms.txt](/llms.txt) and [llms-full.txt](/llms-full.txt): instructions for agents, short and complete',
      '- [auth.md](/auth.md): how an agent gets and stores credentials',
      '- [mcp.json](/.well-known/mcp.json): where the MCP server is, and how to sign in to it',
      '- [Offerings](/offerings): what you can provision',
      '- [Developers](/developers): all links for developers',
    ].join('\n'),
    'Every page is also available as Markdown: add `.md` to its URL, or send `Accept: text/markdown`.',
  ].join('\n\n')

export const migrationsMarkdown = (): string =>
  [
    '# Migrations',
    'A retired endpoint says so in its responses, with `Deprecation`, `Sunset` and a `Link` to one of these pages. See [Versioning](/docs/versioning) for the rules.',
    MIGRATIONS.map(line).join('\n'),
  ].join('\n\n')
