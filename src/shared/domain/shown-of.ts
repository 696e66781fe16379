/** How many of a list to show where `most` fit. A single further one takes the place of the line “and 1 more”. */
export function shownOf(count: number, most: number): number {
  return count === most + 1 ? count : most;
}
