namespace Postrider.Benchmarks.Flow;

/// <summary>One cell: who does what.</summary>
/// <param name="Table">core, features, batches, scaling or errors.</param>
/// <param name="Row">What is done.</param>
/// <param name="Subject">Who does it; ours is <see cref="Ours"/>.</param>
/// <param name="Items">Items in one operation.</param>
/// <param name="Run">One operation; gives what shows that its work was done.</param>
/// <param name="Expected">What <paramref name="Run"/> must give; anything else ends the benchmark.</param>
/// <param name="IsWaiting">The body waits: the unit is milliseconds an operation, otherwise nanoseconds an item.</param>
public sealed record FlowRow(string Table, string Row, string Subject, int Items, Func<ValueTask<long>> Run, long Expected, bool IsWaiting = false)
{
    /// <summary>Our name in the tables.</summary>
    public const string Ours = "Postrider";

    /// <summary>A second figure of the operation that has just ended, in milliseconds: the mean latency of its calls.</summary>
    public Func<double>? Latency { get; init; }

    /// <summary>Bytes of the result, which are no overhead; null: the row's overhead is not judged.</summary>
    public long? ResultBytes { get; init; }

    /// <summary>Rows that take turns: those of one table whose bodies complete at once, otherwise the subjects of a row.</summary>
    public string Group => IsWaiting ? $"{Table}|{Row}" : Table;

    /// <summary>The name by which a process of its own finds the row.</summary>
    public string Key => $"{Table}|{Row}|{Subject}";
}
