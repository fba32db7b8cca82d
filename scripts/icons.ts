// `npm run icons`: renders the installed app's icons from public/icon.svg.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from './browser.ts'

const inPublic = (name: string) => fileURLToPath(new URL(`../public/${name}`, import.meta.url))

const rounded = await readFile(inPublic('icon.svg'), 'utf8')
// Systems crop maskable icons, so the background fills the square and the bike stays in the safe zone.
const square = rounded.replace(' rx="14"', '').replace('<g ', '<g transform="translate(8 8) scale(.75)" ')

const ICONS = [
  { name: 'icon-192.png', size: 192, svg: rounded },
  { name: 'icon-512.png', size: 512, svg: rounded },
  { name: 'icon-maskable-512.png', size: 512, svg: square },
  { name: 'apple-touch-icon.png', size: 180, svg: square },
]

await using browser = await launchBrowser()
const page = await browser.newPage()
for (const { name, size, svg } of ICONS) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`)
  await writeFile(inPublic(name), await page.screenshot({ omitBackground: true }))
}
