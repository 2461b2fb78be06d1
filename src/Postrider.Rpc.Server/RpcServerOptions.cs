namespace Postrider.Rpc.Server;

/// <summary>How contracts are served over HTTP.</summary>
public sealed class RpcServerOptions
{
    /// <summary>The largest message, in bytes; Kestrel's own limit holds besides.</summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Callers see the text of exceptions that the contract does not name: for development.</summary>
    public bool EnableDetailedErrors { get; init; }

    /// <summary>The clock of timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
