// `npm run doctor`: says what is wrong with the set-up and what to do, and changes nothing. Plain JavaScript that needs no
// package: what an old Node.js cannot run, or `npm ci` has yet to bring, is what it may have to tell.
import { existsSync } from 'node:fs'

// The oldest that runs TypeScript and has all that embedded/ uses.
const OLDEST = 24

const [major] = process.versions.node.split('.')
if (!existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))) {
  tell('Packages', 'are not installed; run npm ci.')
} else if (Number(major) < OLDEST) {
  tell(
    'Node.js',
    `${process.versions.node} runs the scripts, and they need ${OLDEST}; run npm ci, without --omit=optional, or install Node.js ${OLDEST}.`,
  )
} else {
  await import('./doctor/examine.ts')
}

function tell(about, text) {
  console.log(`problem  ${about.padEnd(16)} ${text}`)
  process.exitCode = 1
}
