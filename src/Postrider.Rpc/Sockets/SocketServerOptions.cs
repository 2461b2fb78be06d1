using System.Net.Security;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Sockets;

namespace Postrider.Rpc;

/// <summary>How a <see cref="SocketServer"/> serves.</summary>
public sealed class SocketServerOptions
{
    /// <summary>What callers may send.</summary>
    public SocketLimits Limits { get; init; } = new();

    /// <summary>How many connections there may be; further ones are closed at once.</summary>
    public int MaxConnections { get; init; } = 10_000;

    /// <summary>The certificate and what is asked of callers; null for connections without TLS.</summary>
    public SslServerAuthenticationOptions? Tls { get; init; }

    /// <summary>How long a connection may take to say what it is, TLS's greeting and its own each.</summary>
    public TimeSpan HelloTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long <see cref="SocketServer.DisposeAsync"/> waits for calls under way.</summary>
    public TimeSpan DrainTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Whether callers receive the messages of exceptions that the contract does not declare. For development only.</summary>
    public bool EnableDetailedErrors { get; init; }

    /// <summary>Receives failures of operations that the contract does not declare.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>What moves the bytes of connections without TLS: on Linux by default one thread that waits for all of them.</summary>
    public EngineKind Engine { get; init; } = EngineKind.Auto;

    /// <summary>The clock for timeouts.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
