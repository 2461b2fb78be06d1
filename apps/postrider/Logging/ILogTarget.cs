using Microsoft.Extensions.Logging;

namespace Postrider.CommandLine.Logging;

/// <summary>A destination of log lines.</summary>
/// <remarks>Called by one thread at a time.</remarks>
internal interface ILogTarget : IDisposable
{
    /// <summary>Whether the lines may have colours.</summary>
    bool HasColours { get; }

    /// <summary>Whether lines are passed without time, process and level, because the target adds them.</summary>
    bool IsBare => false;

    /// <summary>Writes one line; the target adds the line end.</summary>
    /// <param name="level">The level.</param>
    /// <param name="line">The line.</param>
    void WriteLine(LogLevel level, string line);
}
