namespace Postrider.Benchmarks.Turns;

/// <summary>What one subject of a row does.</summary>
/// <param name="Subject">Who.</param>
/// <param name="Run">One operation.</param>
public sealed record Turn(string Subject, Func<ValueTask> Run)
{
    /// <summary>Our name in the tables.</summary>
    public const string Ours = "Postrider";
}
