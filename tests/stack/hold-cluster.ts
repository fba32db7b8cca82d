// Starts a cluster and holds its lock until killed.
import { startCluster } from '../../embedded/postgres/cluster.ts'
import { lock } from '../../embedded/postgres/lock.ts'

const { url } = await startCluster(process.argv[2]!)
await lock(url, 'The cluster')
console.log('ready')
setInterval(() => undefined, 60_000)
