import { FORMER, precedesBaseline } from '../../embedded/baseline.ts'
import { readMigrations } from '../../embedded/migrations.ts'
import { StartError } from '../../embedded/settings.ts'
import type { HostedProject } from './project.ts'

/** Returns the Supabase CLI's arguments that make the baseline the only migration in the history of a project. */
export async function repairs(remote: string): Promise<string[][]> {
  const [baseline] = await readMigrations()
  const repair = (status: string, versions: string[]) => [
    ...['migration', 'repair', '--status', status, ...versions],
    remote,
  ]
  return [repair('reverted', FORMER), repair('applied', [baseline!.version])]
}

/** Throws a StartError that says what to run if the project has the migrations from before the baseline. */
export async function requireBaseline({ appliedVersions, remote }: HostedProject): Promise<void> {
  if (!precedesBaseline(await appliedVersions())) return
  const lines = (await repairs(remote)).map((args) => `npx supabase ${args.join(' ')}`)
  throw new StartError(
    `The project has migrations that became one. Nothing was changed. Run these lines, then npm run deploy again:\n${lines.join('\n')}`,
  )
}
