namespace Postrider.Broker.Configuration;

/// <summary>A position in a configuration file.</summary>
/// <param name="File">Path as it was given.</param>
/// <param name="Line">From 1.</param>
/// <param name="Column">From 1, in characters.</param>
internal readonly record struct ConfigPosition(string File, int Line, int Column)
{
    /// <summary><c>file:line:column</c>.</summary>
    public override string ToString() => $"{File}:{Line}:{Column}";
}
