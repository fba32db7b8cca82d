import { nullable } from 'valibot'
import { endpoint } from '../_shared/http/endpoint.ts'
import * as contract from './contract.ts'

/** Returns the rides that a sync added, changed and removed, and the parts whose usage changed. */
export default endpoint('ride-changes', contract, (input, query) =>
  query('changes_of_sync', nullable(contract.Answer), input),
)
