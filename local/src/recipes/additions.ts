import { readSmall } from './files.ts'
import type { FoundApp } from './find-app.ts'
import type { Framework } from './frameworks.ts'
import { withCallbackPath } from './write-recipe.ts'

/** Lines that the developer adds to a file of the app. */
export interface AdditionToFile {
  readonly file: string
  /** Where in the file, as a phrase. */
  readonly where: string
  readonly lines: readonly string[]
}

/** What the developer adds to the files of an app, without what is there already. */
export async function additionsFor(
  root: string,
  { additions = [] }: Framework,
  app: FoundApp | null,
  callbackPath: string,
): Promise<AdditionToFile[]> {
  const found: AdditionToFile[] = []
  for (const { file: written, where, lines, done = /gatehouse/i } of additions) {
    const file = await existing(root, written ?? app?.entry ?? '')
    if (!done.test(await readSmall(root, file))) {
      found.push({
        file: file === '' ? entryInWords(app) : file,
        where,
        lines: lines.map((line) => withCallbackPath(line, callbackPath)),
      })
    }
  }
  return found
}

/** For a file that the project's files don't tell. */
export function entryInWords(app: FoundApp | null): string {
  const files = app?.entries ?? []
  return files.length === 0 ? 'the file that creates the app' : files.join(' or ')
}

/** The file, or the same in another language that its framework reads. */
async function existing(root: string, file: string): Promise<string> {
  const stem = file.replace(/\.m?[jt]s$/, '')
  const names = [file, ...['.ts', '.js', '.mts', '.mjs'].map((extension) => stem + extension)]
  for (const name of names) {
    if (name !== '' && (await readSmall(root, name)) !== '') {
      return name
    }
  }
  return file
}
