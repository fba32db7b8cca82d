import { Skeleton } from '../components/Skeleton.tsx'

/** Stands for a bike's page while its data or code loads. */
export function BikeSkeleton() {
  return (
    <div className="stack">
      <Skeleton width="18rem" height="2rem" />
      <Skeleton width="14rem" height="2.5rem" />
      <Skeleton width="100%" height="100dvh" />
    </div>
  )
}
