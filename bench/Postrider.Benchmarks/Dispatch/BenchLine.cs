namespace Postrider.Benchmarks.Dispatch;

/// <summary>One figure of the table.</summary>
/// <param name="Table">warm, cold or types.</param>
/// <param name="Row">The row.</param>
/// <param name="Subject">Who was measured.</param>
/// <param name="Value">The median of the processes' medians; null where a peer is absent.</param>
/// <param name="Least">The least of the processes' least.</param>
/// <param name="Spread">How far the processes' medians lay apart: (most - least) / median.</param>
/// <param name="Unit">ns, us or ms.</param>
/// <param name="Allocated">Bytes per operation, or null.</param>
internal sealed record BenchLine(
    string Table, string Row, string Subject, double? Value, double Least, double Spread, string Unit, double? Allocated)
{
    internal const string Ours = "Postrider";
    internal const string Bare = "bare";

    /// <summary>The peers in the order of their columns.</summary>
    internal static readonly string[] Peers = ["Mediator", "MediatR", "Excalibur", "Wolverine", "MassTransit"];

    /// <summary>What the row may take at most in <see cref="Unit"/>, or null.</summary>
    internal double? Target { get; init; }

    /// <summary>What it may allocate at most, or null.</summary>
    internal double? TargetAllocated { get; init; }

    /// <summary>What the target is, for people.</summary>
    internal string TargetText { get; init; } = "";

    /// <summary>Whether the target is met; null without one.</summary>
    internal bool? Holds => Target is null && TargetAllocated is null
        ? null
        : (Target is not { } most || Value <= most) && (TargetAllocated is not { } bytes || Allocated <= bytes);
}
