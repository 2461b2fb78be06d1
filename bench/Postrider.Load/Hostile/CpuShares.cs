using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Servers;

namespace Postrider.Load.Hostile;

/// <summary>How much of the machine's processors the server, the victim and the hostile clients had in one phase.</summary>
/// <remarks>A latency means nothing without it: on one machine all three take time from each other.</remarks>
internal sealed class CpuShares(ServerProcess server, Victim victim)
{
    private readonly long _started = Stopwatch.GetTimestamp();
    private readonly long _server = server.CpuNanoseconds;
    private readonly long _victim = ProcessClock.OwnCpuNanoseconds();
    private readonly long _delivered = victim.BulkDelivered;
    private long _hostile;

    /// <summary>Messages per second of the load that fills the server.</summary>
    public double BulkPerSecond => (victim.BulkDelivered - _delivered) / Seconds;

    private double Seconds => Stopwatch.GetElapsedTime(_started).TotalSeconds;

    /// <summary>Reads the hostile clients' time while they are there.</summary>
    public void Look(AttackProcess attackers) => _hostile = attackers.CpuNanoseconds ?? _hostile;

    public override string ToString()
    {
        var nanoseconds = Seconds * 1e9;
        return $"processors: server {(server.CpuNanoseconds - _server) / nanoseconds:F2}, victim {(ProcessClock.OwnCpuNanoseconds() - _victim) / nanoseconds:F2}, "
            + $"hostile clients {_hostile / nanoseconds:F2}; bulk {BulkPerSecond:F0} messages/s";
    }
}
