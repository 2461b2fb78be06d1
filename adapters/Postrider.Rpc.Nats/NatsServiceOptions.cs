using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Postrider.Rpc.Nats;

/// <summary>Options for serving a contract over NATS.</summary>
public sealed record NatsServiceOptions
{
    /// <summary>The description shown by discovery.</summary>
    public string Description { get; init; } = "";

    /// <summary>The queue group; instances of the same group share the calls.</summary>
    public string QueueGroup { get; init; } = "q";

    /// <summary>The maximum number of concurrent calls per operation at this instance; further calls wait.</summary>
    public int MaxConcurrency { get; init; } = 64;

    /// <summary>The time without any message after which the peer of a stream is considered lost.</summary>
    public TimeSpan PeerSilence { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How long streams may continue after the service is disposed.</summary>
    public TimeSpan DrainTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Whether callers receive the messages of exceptions that the contract does not declare. For development only.</summary>
    public bool EnableDetailedErrors { get; init; }

    /// <summary>Receives failures of operations that the contract does not declare. Default none; in a host, its logging.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>The clock for timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
