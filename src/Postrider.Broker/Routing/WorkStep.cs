using System.Diagnostics;

namespace Postrider.Broker.Routing;

/// <summary>Limits the time of one step of work on a thread that serves connections, or while a lock is held.</summary>
/// <remarks>For work in small parts, such as messages, the clock is only read at every sixteenth part.</remarks>
internal struct WorkStep
{
    private const int PartsPerLook = 16;

    private static readonly long Ticks = Stopwatch.Frequency / 1000;

    private long _until;
    private int _parts;

    /// <summary>A step without a limit.</summary>
    public static WorkStep Unlimited => new() { _until = long.MaxValue };

    /// <summary>Begins a step of one millisecond.</summary>
    public static WorkStep Begin() => new() { _until = Stopwatch.GetTimestamp() + Ticks };

    /// <summary>Whether the time is over. Reads the clock, so it is for large parts.</summary>
    public readonly bool IsOver => Stopwatch.GetTimestamp() >= _until;

    /// <summary>Counts a small part.</summary>
    /// <returns>True when the clock was read for this part and the time is over.</returns>
    public bool EndsAfterPart() => ++_parts % PartsPerLook == 0 && IsOver;
}
