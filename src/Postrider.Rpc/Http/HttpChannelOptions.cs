using Postrider.Sockets;

namespace Postrider.Rpc;

/// <summary>Options of an <see cref="HttpChannel"/>.</summary>
public sealed record HttpChannelOptions
{
    /// <summary>The timeout of calls without a <see cref="CallContext.Timeout"/>; infinite for no timeout.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The maximum response size in bytes.</summary>
    public int MaxMessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>The HTTP version: 1.1 uses one connection per pending call, 2.0 one shared connection.</summary>
    public Version Version { get; init; } = System.Net.HttpVersion.Version11;

    /// <summary>The socket engine of the channel's own connections. By default, one thread waits for all HTTP/1.1 connections on
    /// Linux.</summary>
    public EngineKind Engine { get; init; } = EngineKind.Auto;

    /// <summary>The clock for timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
