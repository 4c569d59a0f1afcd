import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { RECIPES } from '../../../folders.ts'

/** Complete apps, one per framework. The SDK's README and the templates of the command print the same files. */
const FOLDER = fileURLToPath(RECIPES)

/** Every file of every recipe, such as `node/server.js`. */
export const recipeFiles = (): string[] =>
  globSync('*/**/*', { cwd: FOLDER, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(FOLDER, path.join(parentPath, name)))
    .sort()

const readRecipeFile = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8')

/** `{file:node/server.js}` becomes a code block that names the file, with its path inside the app. */
export const withRecipeFiles = (markdown: string): string =>
  markdown.replace(/^\{file:([^/]+)\/(\S+)\}$/gm, (_, recipe: string, file: string) => {
    const language = path.extname(file).slice(1)
    return `\`\`\`${language} file=${file}\n${readRecipeFile(`${recipe}/${file}`)}\`\`\``
  })
