namespace Postrider.Benchmarks.Turns;

/// <summary>What one subject of a row does.</summary>
/// <param name="subject">Who.</param>
public abstract class Turn(string subject)
{
    /// <summary>Our name in the tables; other subjects of ours begin with it.</summary>
    public const string Ours = "Postrider";

    /// <summary>Who.</summary>
    public string Subject { get; } = subject;

    /// <summary>Whether the middle round is the figure, and not the best.</summary>
    internal virtual bool IsByMedian => false;

    /// <summary>Runs until nothing is left to compile.</summary>
    internal abstract ValueTask WarmUpAsync(TimeSpan time);

    /// <summary>Runs and measures for about so long.</summary>
    internal abstract ValueTask<TurnRound> RoundAsync(TimeSpan time);
}
