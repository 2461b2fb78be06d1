using System.Net.Security;
using Postrider.Sockets;

namespace Postrider.Rpc;

/// <summary>How a <see cref="SocketChannel"/> calls.</summary>
public sealed class SocketChannelOptions
{
    /// <summary>How calls share connections.</summary>
    public DispatchPattern Pattern { get; init; } = DispatchPattern.Correlated;

    /// <summary>For <see cref="DispatchPattern.Blocking"/>: how many connections there may be.</summary>
    public int MaxConnections { get; init; } = 16;

    /// <summary>The timeout of calls without a <see cref="CallContext.Timeout"/>; infinite for no timeout.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How long connecting may take, the server's first frame included.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The server's name and what is asked of it; null for connections without TLS.</summary>
    public SslClientAuthenticationOptions? Tls { get; init; }

    /// <summary>What the server may call at this end, while there is a connection: <see cref="SocketChannel.ConnectAsync"/> keeps one.</summary>
    public IReadOnlyList<RpcService> Serves { get; init; } = [];

    /// <summary>By what name the server knows this end among its <see cref="RpcPeers"/>, at most 255 bytes; null for a new one.</summary>
    public string? PeerName { get; init; }

    /// <summary>What the server may send.</summary>
    public SocketLimits Limits { get; init; } = new();

    /// <summary>What moves the bytes of connections without TLS: on Linux by default one thread that waits for all of them.</summary>
    public EngineKind Engine { get; init; } = EngineKind.Auto;

    /// <summary>The clock for timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>For <see cref="DispatchPattern.Blocking"/>: whether a connection waits for the next call.</summary>
    internal bool KeepsIdle { get; init; } = true;
}
