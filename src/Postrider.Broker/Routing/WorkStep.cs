using System.Diagnostics;

namespace Postrider.Broker.Routing;

/// <summary>The time of a step of work on a thread that serves connections, or under a lock for which others wait.</summary>
/// <remarks>The clock is read once in a few calls: for work in small parts, such as messages.</remarks>
internal struct WorkStep
{
    private const int PartsPerLook = 16;

    private static readonly long Ticks = Stopwatch.Frequency / 1000;

    private long _until;
    private int _parts;

    /// <summary>Begins a step of a millisecond.</summary>
    public static WorkStep Begin() => new() { _until = Stopwatch.GetTimestamp() + Ticks };

    /// <summary>Whether the millisecond is over. For large parts.</summary>
    public readonly bool IsOver => Stopwatch.GetTimestamp() >= _until;

    /// <summary>Counts a small part.</summary>
    /// <returns>Whether the millisecond is over, as far as that was looked at.</returns>
    public bool EndsAfterPart() => ++_parts % PartsPerLook == 0 && IsOver;
}
