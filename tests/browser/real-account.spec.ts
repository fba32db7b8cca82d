import { createSampleAccount, startSampleServer } from '../../sample/server.ts'
import { prepareTracker, startPrepared } from '../postgres.ts'
import { bikes, expect, openMainScreen, test } from './fixtures.ts'

const rider = { apiKey: 'a-real-key', email: 'rider@example.com', password: 'p@ss&wörd+%' }
const owner = { email: 'me@example.com', password: 'correct horse' }

/** A stack with real account settings, and a fake Ride with GPS that records its requests. */
async function startReal(password = rider.password) {
  const account = createSampleAccount({ credentials: rider })
  const requests: string[] = []
  const rwgps = await startSampleServer({
    fetch: (request) => {
      requests.push(new URL(request.url).pathname)
      return account.fetch(request)
    },
  })
  const stack = await startPrepared(await prepareTracker(), {
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
    RWGPS_BASE_URL: rwgps.url,
    RWGPS_API_KEY: rider.apiKey,
    RWGPS_EMAIL: rider.email,
    RWGPS_PASSWORD: password,
  })
  return {
    stack,
    requests,
    stop: async () => {
      await stack.stop()
      await rwgps.close()
    },
  }
}

test('a real account starts empty, and the first sync adds its bikes', async ({ page }) => {
  const { stack, requests, stop } = await startReal()
  try {
    await openMainScreen(page, stack.url, owner)
    expect(requests).toEqual([])
    await expect(page.getByText('Sample data')).toHaveCount(0)
    await expect(bikes(page).getByRole('button')).toHaveCount(0)

    await page.getByRole('button', { name: 'Update Rides from RWGPS' }).click()
    await expect(bikes(page).getByRole('button')).toHaveCount(3)
    await expect(bikes(page).getByRole('button').first()).toBeFocused()
    await bikes(page).getByRole('button').first().click()
    await expect(page.getByText(/^Total Miles [1-9]/)).toBeVisible()
    await expect(page.getByRole('row').last()).toContainText('Total Cost:')
    await expect(page.getByRole('row').last()).toContainText('$0.00')
  } finally {
    await stop()
  }
})

test('logs wrong Ride with GPS credentials without secrets and stays usable', async ({ page }) => {
  const { stack, stop } = await startReal('wrong-wheels-secret')
  try {
    await openMainScreen(page, stack.url, owner)
    const update = page.getByRole('button', { name: 'Update Rides from RWGPS' })
    await update.click()
    await stack.line(/rwgps_unauthorized/)
    for (const secret of ['wrong-wheels-secret', rider.apiKey, rider.email])
      expect(stack.output()).not.toContain(secret)
    await expect(update).toBeEnabled()
    await expect(update).not.toHaveAttribute('aria-busy', 'true')
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  } finally {
    await stop()
  }
})
