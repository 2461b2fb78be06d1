using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Postrider.Rpc.Nats;

/// <summary>How a contract is served over NATS.</summary>
public sealed class NatsServiceOptions
{
    /// <summary>What discovery shows besides the name and the version.</summary>
    public string Description { get; init; } = "";

    /// <summary>Instances in the same group share the calls.</summary>
    public string QueueGroup { get; init; } = "q";

    /// <summary>How many calls of one operation may be under way at this instance; further ones wait.</summary>
    public int MaxConcurrency { get; init; } = 64;

    /// <summary>After so long without a sign a stream's other end is taken for gone.</summary>
    public TimeSpan PeerSilence { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How long streams may go on when the service is disposed.</summary>
    public TimeSpan DrainTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Callers see the text of exceptions that the contract does not name: for development.</summary>
    public bool EnableDetailedErrors { get; init; }

    /// <summary>Where failures of operations are told that the contract does not name.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>The clock of timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
