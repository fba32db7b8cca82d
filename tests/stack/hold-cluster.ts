// Starts a cluster, takes its lock, and holds both until it is killed.
import { startCluster } from '../../embedded/postgres/cluster.ts'
import { lock } from '../../embedded/postgres/lock.ts'

const { url } = await startCluster(process.argv[2]!)
await lock(url, 'it')
console.log('ready')
setInterval(() => undefined, 60_000)
