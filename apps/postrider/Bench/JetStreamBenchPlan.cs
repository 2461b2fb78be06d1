using Postrider.Client.JetStream.Models;

namespace Postrider.CommandLine.Bench;

/// <summary>The settings of a benchmark of streams.</summary>
internal sealed record JetStreamBenchPlan
{
    /// <summary>The stream that is created for it.</summary>
    internal required string Stream { get; init; }

    /// <summary>Messages of all clients in total; for ordered reading, of each client.</summary>
    internal required long Messages { get; init; }

    /// <summary>Bytes of each payload.</summary>
    internal required int SizeBytes { get; init; }

    /// <summary>Connections.</summary>
    internal int Clients { get; init; } = 1;

    /// <summary>Outstanding acknowledgements per client.</summary>
    internal int InFlight { get; init; } = 4096;

    /// <summary>Messages per batch, or outstanding messages.</summary>
    internal int Batch { get; init; } = 500;

    /// <summary>Where the stream is stored.</summary>
    internal StreamStorage Storage { get; init; }

    /// <summary>On how many servers.</summary>
    internal int Replicas { get; init; } = 1;

    /// <summary>Whether an ordered consumer is pushed to.</summary>
    internal bool UsesPush { get; init; }

    /// <summary>Process id of a server on this machine whose processor time is read; null for none.</summary>
    internal int? ServerProcess { get; init; }

    internal string Subject => $"{Stream}.n";

    /// <summary>The part of <see cref="Messages"/> that client <paramref name="index"/> handles.</summary>
    internal long ShareOf(int index) => Messages / Clients + (index < Messages % Clients ? 1 : 0);
}
