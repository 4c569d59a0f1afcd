import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'

const MAX_BYTES = 256 * 1_024

/** Empty for a file that is missing, too large, or no file. */
export async function readSmall(root: string, name: string): Promise<string> {
  const file = path.join(root, name)
  const found = await stat(file).catch(() => null)
  const isReadable = found?.isFile() === true && found.size <= MAX_BYTES
  return isReadable ? readFile(file, 'utf8').catch(() => '') : ''
}

/** Reads a file without its lines of comments, in every language that we know. */
export async function readCode(root: string, name: string): Promise<string> {
  const text = await readSmall(root, name)
  return text.replaceAll(/^[ \t]*(?:\/\/|\/\*|\*|#).*$/gm, '')
}

const NO_SOURCE_FOLDER =
  /^\.|^(?:__(?:pycache|tests|mocks)__|node_modules|vendor|venv|env|dist|build|tests?|static|templates)$/

/** The files of a folder and of those below it that have sources of the project, with slashes. */
export async function sourcesIn(root: string, folder: string, depth: number): Promise<string[]> {
  const present = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => [])
  const sorted = present.sort((a, b) => (a.name < b.name ? -1 : 1))
  const files = sorted
    .filter((each) => !each.isDirectory())
    .map(({ name }) => path.posix.join(folder, name))
  if (depth === 0) {
    return files
  }
  const folders = sorted.filter((each) => each.isDirectory() && !NO_SOURCE_FOLDER.test(each.name))
  const below = await Promise.all(
    folders.map(({ name }) => sourcesIn(root, path.posix.join(folder, name), depth - 1)),
  )
  return [...files, ...below.flat()]
}

/** True for a text with bytes that are no UTF-8: written back, it would be another one. */
export const isDamaged = (text: string): boolean => text.includes('\uFFFD')
