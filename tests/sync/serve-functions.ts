// Runs the edge functions as the embedded stack does, in a process whose output a test can read.
import { startFunctionsServer } from '../../embedded/functions.ts'

const functions = await startFunctionsServer(JSON.parse(process.env.FUNCTIONS_ENVIRONMENT ?? '{}'))
console.log(`functions at ${functions.url}`)
process.stdin.resume()
await Promise.race([new Promise((resolve) => process.stdin.once('end', resolve)), functions.died])
await functions.stop()
process.exit()
