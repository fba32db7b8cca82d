import { cp, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { buildClient } from '../../embedded/client.ts'
import { writeHostingFiles } from '../../hosting/build.ts'
import { readHostedConfig } from '../../hosting/settings.ts'
import { temporaryFolder } from '../running.ts'
import { startAuthGateway } from './auth-gateway.ts'
import { bikes, expect, signIn, test } from './fixtures.ts'
import { readHeadersFile, readVercelFile, startStaticHost } from './static-host.ts'

async function buildFor(url: string, stackUrl: string) {
  const { folder, remove } = await temporaryFolder()
  await cp(await buildClient(), folder, { recursive: true })
  const { publishableKey, rwgpsUrl } = await (await fetch(`${stackUrl}/config.json`)).json()
  const settings = { SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: publishableKey, RWGPS_BASE_URL: rwgpsUrl }
  await writeHostingFiles(folder, readHostedConfig(settings)!)
  return { folder, remove, rwgpsUrl }
}

test(
  'works on a static host with its own headers and a backend on another origin',
  { tag: '@machine' },
  async ({ page, sample }) => {
    const backend = await startAuthGateway(sample.url)
    const { folder, remove, rwgpsUrl } = await buildFor(backend.url, sample.url)
    const host = await startStaticHost(folder)
    try {
      await expectSameHeaders(folder)
      const response = await page.goto(host.url)
      expect(response!.headers()).toMatchObject({
        'cache-control': 'no-cache',
        'x-robots-tag': 'noindex',
        'x-content-type-options': 'nosniff',
      })
      const policy = response!.headers()['content-security-policy']
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
      expect(policy).toContain(`connect-src 'self' ${backend.url};`)
      expect(policy).toContain(rwgpsUrl)

      // The fixtures fail the test if anything violates the policy.
      await signIn(page)
      await expect(page.getByText('Sample data')).toHaveCount(0)
      await bikes(page).getByRole('button', { name: 'Blue Domane' }).click()
      await expect(page.getByText(/^Total Miles [1-9]/)).toBeVisible()
      const newRow = page.getByPlaceholder('+ Add New Maintenance')
      await newRow.fill('From elsewhere')
      await newRow.press('Enter')
      await expect(page.getByRole('button', { name: 'Details of From elsewhere' })).toBeVisible()
      await page.getByRole('tab', { name: 'Rides' }).click()
      await page.getByRole('button', { name: 'Update Rides from RWGPS' }).click()
      await expect(page.getByRole('status').filter({ hasText: /^Synced/ })).toBeVisible()
      await expect(page.locator('tbody img')).not.toHaveCount(0)

      // Simulates a missing secret: the gateway's response has no CORS headers, so the browser hides it.
      await page.route('**/functions/v1/update-rides', (route) => route.abort())
      await page.getByRole('button', { name: 'Update Rides from RWGPS' }).click()
      const problem = page.getByRole('status').filter({ hasText: 'did not start' })
      await expect(problem).toContainText('under Edge Functions')
      await expect(page.getByText(/^Offline/)).toHaveCount(0)
      await page.unroute('**/functions/v1/update-rides')
      await page.getByRole('button', { name: 'Update Rides from RWGPS' }).click()
      await expect(problem).toHaveCount(0)
    } finally {
      host.close()
      backend.close()
      await remove()
    }
  },
)

async function expectSameHeaders(folder: string) {
  const byHeaders = readHeadersFile(await readFile(path.join(folder, '_headers'), 'utf8'))
  const byVercel = readVercelFile(await readFile(path.join(folder, 'vercel.json'), 'utf8'))
  const assets = (await readdir(path.join(folder, 'assets'))).map((file) => `/assets/${file}`)
  const others = (await readdir(folder, { withFileTypes: true }))
    .filter((file) => file.isFile() && !['_headers', 'vercel.json'].includes(file.name))
    .map(({ name }) => `/${name}`)
  expect(assets.length).toBeGreaterThan(5)
  expect(others).toEqual(expect.arrayContaining(['/index.html', '/config.json']))
  for (const file of ['/', ...assets, ...others]) {
    expect(byVercel(file)).toEqual(byHeaders(file))
    expect(byHeaders(file)['cache-control']).toBe(
      assets.includes(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
    )
    expect(byHeaders(file)['content-security-policy']).toBe(byHeaders('/')['content-security-policy'])
  }
}
