import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { writeAtomically } from '../embedded/backup/file.ts'
import { readCommandLine, runCommand } from '../embedded/command-line.ts'
import { ROOT } from '../embedded/installation.ts'
import { readTextFile, StartError } from '../embedded/settings.ts'
import { HOSTED_FILE, readHostedFile } from '../hosting/settings.ts'
import { build, openProject } from './deploy/project.ts'
import { requireBaseline } from './deploy/repair.ts'
import { functionSecrets, missingSettings, readDeployment } from './deploy/settings.ts'

const { values } = readCommandLine({
  name: 'deploy',
  about: `Deploys to the hosted Supabase project in ${HOSTED_FILE} and builds its client. Asks before it changes anything, except with --yes.`,
  usage: '[-- --yes]',
  options: { yes: { type: 'boolean' } },
})
const file = path.join(ROOT, HOSTED_FILE)

await runCommand(async () => {
  const given = readHostedFile(ROOT)
  if (!given) {
    await writeAtomically(file, await readFile(path.join(ROOT, 'supabase/.env.example'), 'utf8'))
    throw new StartError(
      `Fill in ${HOSTED_FILE}, then run npm run deploy again. docs/deploy.md explains how.`,
    )
  }
  const { ref, url, client } = readDeployment(given)
  const project = openProject(ref)
  const added = await missingSettings(given, project)
  const settings = { ...given, ...added }
  const configuration = { TRACKER_URL: client }

  await requireBaseline(project)
  await project.run(['config', 'diff'], configuration)
  console.log(
    `\nThis pushes settings, tables, secrets, functions and the schedule to ${url}, and builds the client for ${client}.`,
  )
  if (!values.yes && !(await confirm('Continue? [y/N] '))) throw new StartError('Nothing was changed.')

  await addToFile(added)
  // Every step is safe to repeat.
  const steps: [name: string, run: () => Promise<void>][] = [
    ['Settings', () => project.run(['config', 'push', '--yes'], configuration)],
    ['Tables', () => project.run(['db', 'push', '--yes'])],
    ['Secrets', () => project.setSecrets(functionSecrets(settings))],
    ['Functions', () => project.run(['functions', 'deploy', '--use-api', '--yes'])],
    ['Schedule', () => project.connectSchedule(`${url}/functions/v1/update-rides`, settings.SCHEDULE_KEY!)],
    ['Client', () => build(settings)],
  ]
  for (const [index, [name, run]] of steps.entries()) {
    console.log(`\n${index + 1}/${steps.length} ${name}`)
    await run().catch((error: Error) => {
      throw new StartError(
        `${error.message} The steps after "${name}" did not run. Fix the problem, then run npm run deploy again.`,
      )
    })
  }
  console.log('\nDeployed. Now upload the folder dist to your static host, then run npm run doctor.')
})

/** Asks a yes-or-no question. Any answer except yes counts as no, and so does the end of the input. */
async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  const answer = await Promise.race([terminal.question(question), ended])
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

async function addToFile(added: Record<string, string>): Promise<void> {
  const lines = Object.entries(added).map(([name, value]) => `${name}=${value}\n`)
  if (lines.length === 0) return
  await writeAtomically(
    file,
    `${readTextFile(file).trimEnd()}\n\n# Created by npm run deploy. Keep these lines.\n${lines.join('')}`,
  )
  console.log(`Added ${Object.keys(added).join(', ')} to ${HOSTED_FILE}.`)
}
