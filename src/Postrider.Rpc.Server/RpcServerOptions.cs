namespace Postrider.Rpc.Server;

/// <summary>Options for serving contracts over HTTP.</summary>
public sealed record RpcServerOptions
{
    /// <summary>The maximum message size in bytes. Kestrel's own limit applies as well.</summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Whether callers receive the messages of exceptions that the contract does not declare. For development only.</summary>
    public bool EnableDetailedErrors { get; init; }

    /// <summary>The clock for timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
