namespace Postrider.Benchmarks.Flow;

/// <summary>One cell: who does what, and how often per measured operation.</summary>
/// <param name="Table">core, features, batches, scaling or errors.</param>
/// <param name="Row">What is done.</param>
/// <param name="Subject">Who does it; ours is <see cref="Ours"/>.</param>
/// <param name="Items">Items in one operation.</param>
/// <param name="Run">One operation.</param>
/// <param name="IsWaiting">The body waits: the unit is milliseconds an operation, otherwise nanoseconds an item.</param>
public sealed record FlowRow(string Table, string Row, string Subject, int Items, Func<Task> Run, bool IsWaiting = false)
{
    /// <summary>Our name in the tables.</summary>
    public const string Ours = "Postrider";
}
