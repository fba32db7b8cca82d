import { ownerDependencies } from '../_shared/http/endpoint.ts'
import { createFiles } from './handler.ts'

export default { fetch: createFiles(ownerDependencies('files')) }
