namespace Postrider.CommandLine.Bench;

/// <summary>The settings of a benchmark.</summary>
internal sealed record BenchPlan
{
    /// <summary>Subject of the messages.</summary>
    internal required string Subject { get; init; }

    /// <summary>Messages that all clients publish, or requests that they make, in total.</summary>
    internal required long Messages { get; init; }

    /// <summary>Bytes of each payload.</summary>
    internal required int SizeBytes { get; init; }

    /// <summary>Clients that publish or send requests.</summary>
    internal int Publishers { get; init; } = 1;

    /// <summary>Clients that subscribe or reply.</summary>
    internal int Subscribers { get; init; } = 1;

    /// <summary>Concurrent requests per client.</summary>
    internal int InFlight { get; init; } = 1;

    /// <summary>Process id of a server on this machine whose processor time is read; null for none.</summary>
    internal int? ServerProcess { get; init; }

    /// <summary>The part of <see cref="Messages"/> that client <paramref name="index"/> of <see cref="Publishers"/> publishes.</summary>
    internal long ShareOf(int index) => Messages / Publishers + (index < Messages % Publishers ? 1 : 0);
}
