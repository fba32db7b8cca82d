import { type ReactNode, useDeferredValue } from 'react'

import { type AppError, messageFor } from '../lib/errors.ts'
import type { Ready, Resource } from '../lib/resource.ts'
import { Notice } from './Notice.tsx'

type FailureProps = { what: string; error: AppError; retry: () => unknown; isLine?: boolean }

/** Says what failed, why, and offers to try again. With `isLine`, it is a line of text instead of a box. */
export function Failure({ what, error, retry, isLine = false }: FailureProps) {
  const message = `${what} ${messageFor(error)}`
  if (!isLine) return <Notice action={{ label: 'Try again', run: () => void retry() }}>{message}</Notice>
  return (
    <p className="warning">
      {message}
      <button type="button" onClick={() => void retry()}>
        Try again
      </button>
    </p>
  )
}

type Props<T> = {
  resource: Resource<T>
  /** Shown if there is no data: `The log could not be loaded.` */
  failed: string
  /** Shown above older data: `The log may be out of date.` Without it, a failure then shows nothing. */
  outdated?: string
  retry: () => unknown
  loading?: ReactNode
  children?: (data: T, ready: Ready<T>) => ReactNode
}

/** Shows a resource: a placeholder while it loads, then its data, or why it failed. */
export function ResourceView<T>({ resource, failed, outdated, retry, loading, children }: Props<T>) {
  // Deferred, so React replaces the placeholder in slices and the page stays responsive.
  const isLoading = useDeferredValue(resource.state === 'loading')
  if (isLoading || resource.state === 'loading') return loading
  if (resource.state === 'failed') return <Failure what={failed} error={resource.error} retry={retry} />
  return (
    <>
      {outdated && resource.failure && <Failure what={outdated} error={resource.failure} retry={retry} />}
      {children?.(resource.data, resource)}
    </>
  )
}
