namespace Postrider.CommandLine.Bench;

/// <summary>What a benchmark is to do.</summary>
internal sealed record BenchPlan
{
    /// <summary>Subject of the messages.</summary>
    internal required string Subject { get; init; }

    /// <summary>Messages published, or requests made, by all clients together.</summary>
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

    /// <summary>What client <paramref name="index"/> of <see cref="Publishers"/> has to do of <see cref="Messages"/>.</summary>
    internal long ShareOf(int index) => Messages / Publishers + (index < Messages % Publishers ? 1 : 0);
}
