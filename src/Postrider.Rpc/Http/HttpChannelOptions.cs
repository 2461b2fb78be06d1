using Postrider.Sockets;

namespace Postrider.Rpc;

/// <summary>How an <see cref="HttpChannel"/> calls.</summary>
public sealed class HttpChannelOptions
{
    /// <summary>The timeout of calls without a <see cref="CallContext.Timeout"/>; infinite for no timeout.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The maximum response size in bytes.</summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>HTTP's version: 1.1 for a connection to each call under way, 2.0 for one that they share.</summary>
    public Version Version { get; init; } = System.Net.HttpVersion.Version11;

    /// <summary>What moves the bytes of the channel's own connections: on Linux by default one thread that waits for all of those of HTTP/1.1.</summary>
    public EngineKind Engine { get; init; } = EngineKind.Auto;

    /// <summary>The clock for timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
