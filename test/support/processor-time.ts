/** Returns the ms of processor time that some work takes. Other processes do not lengthen it, unlike the time on a clock. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
