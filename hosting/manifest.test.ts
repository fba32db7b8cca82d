import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const manifest = JSON.parse(await readFile('public/manifest.webmanifest', 'utf8')) as {
  name: string
  start_url: string
  display: string
  theme_color: string
  background_color: string
  icons: { src: string; sizes: string; purpose?: string }[]
}

test('the manifest has a name and the theme colors of the page', async () => {
  expect([manifest.name, manifest.start_url, manifest.display]).toEqual([
    'RWGPS Maintenance Tracker',
    '/',
    'standalone',
  ])
  const [, ground] = /--ground: light-dark\(\S+ (\S+)\);/.exec(
    await readFile('src/app/styles/tokens.css', 'utf8'),
  )!
  const [, theme] = /name="theme-color" content="(\S+)"/.exec(await readFile('index.html', 'utf8'))!
  expect([manifest.theme_color, manifest.background_color, theme]).toEqual([ground, ground, ground])
})

test('the icons of the manifest have the stated sizes', async () => {
  const images = manifest.icons.filter(({ src }) => src.endsWith('.png'))
  const sizes = images.map(async ({ src }) => {
    // PNG files store their width and height at these offsets.
    const image = await readFile(`public${src}`)
    return `${image.readUInt32BE(16)}x${image.readUInt32BE(20)}`
  })
  expect(await Promise.all(sizes)).toEqual(images.map((icon) => icon.sizes))
  expect(images.map((icon) => icon.sizes)).toEqual(['192x192', '512x512', '512x512'])
  expect(images.map(({ purpose = 'any' }) => purpose)).toContain('maskable')
})
