using System.Net;
using Microsoft.Extensions.Logging;
using Postrider.Broker.Accounts;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>The connection that an authorization callout is asked about: a client's or a leaf node's.</summary>
/// <param name="Name">The connection in log lines.</param>
/// <param name="Connect">Its CONNECT.</param>
internal sealed record CalloutPeer(string Name, ConnectInfo Connect)
{
    /// <summary>The accounts of the broker.</summary>
    public required AccountRegistry Accounts { get; init; }

    /// <summary>Asks the service; null when the broker has no keys for it.</summary>
    public required IAuthCallout? Callout { get; init; }

    /// <summary>The log.</summary>
    public required ILogger Logger { get; init; }

    /// <summary>The clock.</summary>
    public required TimeProvider Time { get; init; }

    /// <summary>The number of the connection.</summary>
    public required ulong Id { get; init; }

    /// <summary>The user that its CONNECT names; null when it names none.</summary>
    public required string? UserName { get; init; }

    /// <summary>The other side's address as text; null within the process.</summary>
    public required string? RemoteAddress { get; init; }

    /// <summary>The other side's address; null within the process.</summary>
    public required IPAddress? Address { get; init; }

    /// <summary>The nonce that it was sent.</summary>
    public required string Nonce { get; init; }

    /// <summary>The encrypted connection; null without TLS.</summary>
    public required TlsConnection? Tls { get; init; }

    /// <summary>Whether its certificate was verified.</summary>
    public required bool VerifiesCertificates { get; init; }

    /// <summary>The connection type that users can be restricted to.</summary>
    public required string ConnectionType { get; init; }

    /// <summary>The kind in the request, as nats-server calls it.</summary>
    public required string Kind { get; init; }

    /// <summary>The kind of client in the request; null for anything else.</summary>
    public string? Type { get; init; }

    /// <summary>Creates the request to the users of the configuration.</summary>
    public AuthenticationRequest CreateRequest() => new(Connect, Tls?.RemoteCertificate, Nonce, ConnectionType);
}
