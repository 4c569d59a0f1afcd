export const PROJECT_NAME_MAX_CHARACTERS = 60

/** Controls, direction marks and other invisible characters, which only mislead. White space is collapsed instead. */
const INVISIBLE = /(?![\t\n\v\f\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

export type ReadProjectName =
  | { readonly ok: true /** null: no name. */; readonly name: string | null }
  | { readonly ok: false; readonly problem: string }

/** The name that an owner gives to a project. Only the owner sees it: it may contain any word, unlike a brand. */
export function readProjectName(text: string): ReadProjectName {
  const name = text.toWellFormed().replace(INVISIBLE, '').replace(/\s+/gu, ' ').normalize('NFC').trim()
  if (name === '') return { ok: true, name: null }
  if ([...name].length <= PROJECT_NAME_MAX_CHARACTERS) return { ok: true, name }
  return { ok: false, problem: `A name has at most ${PROJECT_NAME_MAX_CHARACTERS} characters.` }
}

export interface NamedProject {
  readonly tenantId: string
  readonly name: string | null
  readonly brandName: string | null
  readonly callbackHosts: readonly string[]
}

/** What the console calls a project: its name, its app's brand, the host that users return to, or its id. */
export const projectName = ({ tenantId, name, brandName, callbackHosts }: NamedProject): string =>
  name ?? brandName ?? callbackHosts[0] ?? tenantId
