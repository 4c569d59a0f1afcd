import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'

export interface Picture {
  /** What the pictures of a sheet have in common: width and color scheme, or engine. */
  readonly sheet: string
  readonly label: string
  /** In the folder of the sheets. */
  readonly file: string
}

const SHEET_WIDTH = 1_600
const PER_SHEET = 24

/** One PNG for each two dozen pictures, with their names, and the same as HTML. Returns the files. */
export async function contactSheets(
  browser: Browser,
  folder: string,
  pictures: readonly Picture[],
): Promise<string[]> {
  const page = await browser.newPage({ viewport: { width: SHEET_WIDTH, height: 1_000 } })
  const files: string[] = []
  for (const [sheet, all = []] of Object.entries(
    Object.groupBy(pictures, (picture) => picture.sheet),
  )) {
    for (let first = 0; first < all.length; first += PER_SHEET) {
      const base = path.join(folder, `sheet-${sheet}-${first / PER_SHEET + 1}`)
      await writeFile(`${base}.html`, sheetOf(sheet, all.slice(first, first + PER_SHEET)))
      await page.goto(pathToFileURL(`${base}.html`).href)
      await page.screenshot({ path: `${base}.png`, fullPage: true })
      files.push(`${base}.png`)
    }
  }
  await page.close()
  return files
}

/** Phones are narrow, so more of them fit beside each other. A longer page is cut. */
const sheetOf = (
  sheet: string,
  pictures: readonly Picture[],
): string => `<!doctype html><meta charset="utf-8"><title>${sheet}</title><style>
body { margin: 16px; font: 13px sans-serif; background: #888; color: #000 }
main { display: grid; gap: 16px; grid-template-columns: repeat(${sheet.startsWith('390') ? 6 : 4}, 1fr) }
figure { margin: 0 } figcaption { padding: 0 0 4px; overflow-wrap: anywhere }
img { display: block; width: 100%; aspect-ratio: ${sheet.startsWith('390') ? '390 / 780' : '1280 / 1000'}; object-fit: cover; object-position: top }
</style><main>${pictures.map(({ label, file }) => `<figure><figcaption>${label}</figcaption><a href="${file}"><img src="${file}" alt=""></a></figure>`).join('\n')}</main>
`
