import { FORMER, precedesBaseline } from '../../embedded/baseline.ts'
import { readMigrations } from '../../embedded/migrations.ts'
import { StartError } from '../../embedded/settings.ts'
import type { HostedProject } from './project.ts'

/** Returns the Supabase CLI's arguments that make the baseline the only migration in the history of a project. */
export async function repairs(remote: string): Promise<string[][]> {
  const [baseline] = await readMigrations()
  return [
    ['migration', 'repair', '--status', 'reverted', ...FORMER, remote],
    ['migration', 'repair', '--status', 'applied', baseline!.version, remote],
  ]
}

/** Throws a StartError that says what to run if the project has the migrations from before the baseline. */
export async function requireBaseline(project: HostedProject): Promise<void> {
  if (!precedesBaseline(await project.appliedVersions())) return
  const lines = (await repairs(project.remote)).map((args) => `npm run supabase -- ${args.join(' ')}`)
  throw new StartError(
    `The project has migrations that became one. Nothing was changed. Run these lines, then npm run deploy again:\n${lines.join('\n')}`,
  )
}
