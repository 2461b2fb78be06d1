namespace Postrider.Rpc.Grpc;

/// <summary>Options of an <see cref="RpcGrpcChannel"/>.</summary>
public sealed record RpcGrpcChannelOptions
{
    /// <summary>The package of the service's <c>.proto</c> file, which prefixes its name; empty for none.</summary>
    public string Package { get; init; } = "";

    /// <summary>The timeout of calls that do not stream and have no <see cref="CallContext.Timeout"/>; infinite for no timeout.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The maximum size of received messages in bytes after decompression.</summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Whether requests are compressed with gzip. <see cref="GrpcCompression.Header"/> overrides it for a call.</summary>
    public bool CompressRequests { get; init; }

    /// <summary>The clock for timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
