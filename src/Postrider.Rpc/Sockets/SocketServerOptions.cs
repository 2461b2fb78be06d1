using System.Net.Security;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Sockets;

namespace Postrider.Rpc;

/// <summary>Options of a <see cref="SocketServer"/>.</summary>
public sealed record SocketServerOptions
{
    /// <summary>The limits for data from clients.</summary>
    public SocketLimits Limits { get; init; } = new();

    /// <summary>The maximum number of connections; further ones are closed immediately.</summary>
    public int MaxConnections { get; init; } = 10_000;

    /// <summary>The TLS options; null for connections without TLS.</summary>
    public SslServerAuthenticationOptions? Tls { get; init; }

    /// <summary>The timeout for the TLS handshake and for the protocol handshake, each.</summary>
    public TimeSpan HelloTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long <see cref="SocketServer.DisposeAsync"/> waits for pending calls. Services that are provided for each connection
    /// have the same time again to be disposed.</summary>
    public TimeSpan DrainTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Whether callers receive the messages of exceptions that the contract does not declare. For development only.</summary>
    public bool EnableDetailedErrors { get; init; }

    /// <summary>Receives failures of operations that the contract does not declare.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>The socket engine of connections without TLS. By default, one thread waits for all of them on Linux.</summary>
    public EngineKind Engine { get; init; } = EngineKind.Auto;

    /// <summary>The clock for timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
