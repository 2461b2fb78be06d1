using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Servers;

namespace Postrider.Load.Hostile;

/// <summary>Resident memory of the server over time, in megabytes.</summary>
internal sealed class MemoryWatch(ServerProcess server)
{
    private const int SampleMilliseconds = 100;

    public double Highest { get; private set; }

    public double Now => server.ResidentBytes / 1e6;

    /// <summary>Lets time pass; throws when the server or the victim has ended.</summary>
    public void Wait(double seconds, Victim victim)
    {
        var started = Stopwatch.GetTimestamp();
        do
        {
            Highest = Math.Max(Highest, Now);
            if (victim.Failed)
                victim.Rethrow();
            Pause.Milliseconds(SampleMilliseconds);
        }
        while (Stopwatch.GetElapsedTime(started).TotalSeconds < seconds);
    }

    /// <summary>The highest value since the last call.</summary>
    public double TakeHighest()
    {
        var highest = Highest;
        Highest = 0;
        return highest;
    }
}
