using System.Net.Security;
using Postrider.Sockets;

namespace Postrider.Rpc;

/// <summary>Options of a <see cref="SocketChannel"/>.</summary>
public sealed record SocketChannelOptions
{
    /// <summary>How calls share connections.</summary>
    public DispatchPattern Pattern { get; init; } = DispatchPattern.Correlated;

    /// <summary>The maximum number of connections for <see cref="DispatchPattern.Blocking"/>.</summary>
    public int MaxConnections { get; init; } = 16;

    /// <summary>The timeout of calls without a <see cref="CallContext.Timeout"/>; infinite for no timeout.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The timeout for connecting, including the handshake.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The TLS options; null for connections without TLS.</summary>
    public SslClientAuthenticationOptions? Tls { get; init; }

    /// <summary>The services that the server may call at this client while connected; see
    /// <see cref="SocketChannel.ConnectAsync"/>.</summary>
    public IReadOnlyList<RpcService> Services { get; init; } = [];

    /// <summary>The name of this client among the server's <see cref="RpcPeers"/>, at most 255 bytes; null for a generated one.</summary>
    public string? PeerName { get; init; }

    /// <summary>The limits for data from the server.</summary>
    public SocketLimits Limits { get; init; } = new();

    /// <summary>The socket engine of connections without TLS. By default, one thread waits for all of them on Linux.</summary>
    public EngineKind Engine { get; init; } = EngineKind.Auto;

    /// <summary>The clock for timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Where the address was set, as a sentence for errors; null if it is not known.</summary>
    internal string? Source { get; init; }

    /// <summary>Whether idle connections of <see cref="DispatchPattern.Blocking"/> are kept for the next call.</summary>
    internal bool KeepsIdle { get; init; } = true;
}
