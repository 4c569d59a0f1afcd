import { readAsset } from './asset.ts'

export const stylesheet = readAsset('./style.css', 'text/css; charset=utf-8', (hash) => `/assets/style.${hash}.css`)
