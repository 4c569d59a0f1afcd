import { hasScopeLine, npmrcOf, registrySetting, SDK_PACKAGE } from '../../npm-registry.ts'
import { dependenciesOf } from '../../recipes/write-recipe.ts'
import { type Finding, ok, warn } from './files.ts'

const CHECK = 'packages'

/** Checks that npm gets our packages from the service, and that the app uses no package of another project for them. */
export async function checkPackages(root: string, service: string): Promise<Finding[]> {
  const found = [checkLine(root, service)]
  const foreign = Object.keys(await dependenciesOf(root)).filter(isForeign)
  if (foreign.length > 0) {
    const names = foreign.join(' ')
    const message = `package.json lists ${foreign.join(', ')}: in the public registry, this name belongs to another project.`
    const fix = `Run: npm uninstall ${names} && npm install ${SDK_PACKAGE}. Then import ${SDK_PACKAGE}.`
    found.push(warn(CHECK, message, fix))
  }
  return found
}

/** @gatehouse/… was our scope once, and gatehouse is what one may guess. */
const isForeign = (name: string): boolean => name === 'gatehouse' || name.startsWith('@gatehouse/')

function checkLine(root: string, service: string): Finding {
  const file = npmrcOf(root)
  if (hasScopeLine(root, service)) {
    return ok(CHECK, `npm gets our packages from the service (${file}).`)
  }
  const message = `${file} does not name the service, so npm looks for our packages in another registry.`
  return warn(CHECK, message, `Add this line to it: ${registrySetting(service)}`)
}
