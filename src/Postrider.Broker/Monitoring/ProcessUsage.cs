namespace Postrider.Broker.Monitoring;

/// <summary>Memory and processor time of this process.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class ProcessUsage(TimeProvider time)
{
    // Guards the last reading. Nothing else is locked while it is held.
    private readonly Lock _lock = new();
    private long _lastTimestamp = time.GetTimestamp();
    private TimeSpan _lastCpu = Environment.CpuUsage.TotalTime;
    private double _cpuPercent;

    /// <summary>Resident memory in bytes, and processor time since the previous reading in percent of one core.</summary>
    internal (long MemoryBytes, double CpuPercent) Read()
    {
        var cpu = Environment.CpuUsage.TotalTime;
        var memory = Environment.WorkingSet;
        lock (_lock)
        {
            var elapsed = time.GetElapsedTime(_lastTimestamp);
            // Two readings close together are not meaningful: keep the earlier one.
            if (elapsed >= TimeSpan.FromMilliseconds(100))
            {
                _cpuPercent = Math.Round((cpu - _lastCpu) / elapsed * 100, 2);
                _lastCpu = cpu;
                _lastTimestamp = time.GetTimestamp();
            }
            return (memory, _cpuPercent);
        }
    }
}
