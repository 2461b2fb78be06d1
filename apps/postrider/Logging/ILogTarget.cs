using Microsoft.Extensions.Logging;

namespace Postrider.CommandLine.Logging;

/// <summary>Where log lines end.</summary>
/// <remarks>Called by one thread at a time.</remarks>
internal interface ILogTarget : IDisposable
{
    /// <summary>Whether the lines may have colours.</summary>
    bool HasColours { get; }

    /// <summary>Whether lines have no time, process and level of their own: the target adds them.</summary>
    bool IsBare => false;

    /// <summary>Writes one line; the line end is the target's to add.</summary>
    /// <param name="level">The level.</param>
    /// <param name="line">The line.</param>
    void WriteLine(LogLevel level, string line);
}
