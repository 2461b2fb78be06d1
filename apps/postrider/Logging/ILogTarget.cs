namespace Postrider.CommandLine.Logging;

/// <summary>Where log lines end.</summary>
/// <remarks>Called by one thread at a time.</remarks>
internal interface ILogTarget : IDisposable
{
    /// <summary>Whether the lines may have colours.</summary>
    bool HasColours { get; }

    /// <summary>Writes one line; the line end is the target's to add.</summary>
    void WriteLine(string line);
}
