import type { Page } from '@playwright/test'

export async function signIn(page: Page, { email = 'owner@example.com', password = 'password' } = {}) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
