using System.Buffers.Text;
using System.Net.Sockets;
using System.Reflection;
using System.Text;
using Postrider.Sockets;
using Postrider.Sockets.WebSockets;
using Postrider.Wire.Frames;

namespace Postrider.Client.Sessions;

/// <summary>Connects to a server that responds: tries each of the pool, round after round, with growing delays between rounds.</summary>
internal sealed class ServerConnector(NatsSession session, Random random)
{
    // Credentials rejected twice by the same server would be rejected again. Renewed ones start a new count.
    private const int MaxRejections = 2;

    private static readonly string Version =
        typeof(ServerConnector).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0] ?? "0.0.0";

    private readonly IConnector _connector = session.Options.Connector ?? TcpConnector.Shared;
    private readonly ServerAddress? _credentials = session.Options.Servers
        .Select(ServerAddress.Parse)
        .FirstOrDefault(static address => address.User is not null || address.Token is not null);

    private long _attempts;

    private ClientOptions Options => session.Options;

    /// <summary>Connects to the first server that responds.</summary>
    /// <param name="retries">Whether another round follows when none responds.</param>
    /// <param name="earlyEnds">How many connections in a row ended shortly after their handshake. After the first one the next attempt follows
    /// at once, after others with a delay that grows.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A connection that has completed its handshake.</returns>
    /// <exception cref="NatsClientException">No server responded, or all were given up.</exception>
    public async Task<ServerConnection> ConnectToAnyAsync(bool retries, int earlyEnds, CancellationToken ct)
    {
        NatsClientException? last = null;
        var rounds = 0;
        if (earlyEnds > 1) await Task.Delay(WaitBefore(earlyEnds - 2), Options.TimeProvider, ct).ConfigureAwait(false);
        while (session.Servers.Next(out var startsRound) is { } server)
        {
            if (startsRound)
            {
                if (!retries) break;
                await Task.Delay(WaitBefore(rounds++), Options.TimeProvider, ct).ConfigureAwait(false);
            }
            try
            {
                var connection = await DialAsync(server, ct).ConfigureAwait(false);
                server.Succeeded();
                return connection;
            }
            catch (NatsClientException error)
            {
                last = error;
                OnFailure(server, error, retries);
            }
        }
        throw last ?? new NatsClientException(NatsErrorCode.ConnectionFailed, "No server is left to try.");
    }

    /// <summary>Connects to a server other than the one in lame duck mode: one round.</summary>
    public async Task<ServerConnection> ConnectToOtherAsync(ServerPool.Server leaving, CancellationToken ct)
    {
        session.Servers.Restart(leaving);
        NatsClientException? last = null;
        while (session.Servers.Next(out var startsRound) is { } server && !startsRound)
        {
            if (ReferenceEquals(server, leaving)) continue;
            try
            {
                return await DialAsync(server, ct).ConfigureAwait(false);
            }
            catch (NatsClientException error)
            {
                last = error;
            }
        }
        throw last ?? new NatsClientException(NatsErrorCode.ConnectionFailed, "There is no other server.");
    }

    /// <summary>The provider of credentials for a server; null when they are known, or there are none.</summary>
    public ClientCredentials? FindCredentials(ServerAddress address) => OwnOf(address) is null ? Options.Credentials : null;

    /// <summary>Whether the client has credentials at all.</summary>
    public bool HasCredentials(ServerAddress address)
        => OwnOf(address) is not null || Options.Credentials is not null || Options.User is not null || Options.Token is not null;

    /// <summary>The request for credentials.</summary>
    public CredentialsRequest CreateCredentialsRequest(ServerPool.Server server, ServerInfo info)
        => new(server.Address.HostAndPort, Encoding.UTF8.GetBytes(info.Nonce ?? ""), Interlocked.Increment(ref _attempts), server.LastRejection);

    /// <summary>Creates CONNECT.</summary>
    /// <param name="address">The server.</param>
    /// <param name="info">Its INFO.</param>
    /// <param name="credentials">The credentials provided for this connection; null uses those in the address and the options.</param>
    public ConnectInfo CreateConnectInfo(ServerAddress address, ServerInfo info, ConnectCredentials? credentials)
    {
        var own = OwnOf(address);
        var given = credentials ?? new ConnectCredentials
        {
            User = own is null ? Options.User : own.User,
            Password = own is null ? Options.Password : own.Password,
            Token = own is null ? Options.Token : own.Token,
        };
        return new ConnectInfo
        {
            Verbose = false,
            Pedantic = Options.Pedantic,
            Echo = Options.Echo,
            Headers = info.Headers,
            NoResponders = info.Headers,
            Protocol = 1,
            Name = Options.Name,
            Language = ".NET",
            Version = Version,
            User = given.User,
            Password = given.Password,
            Token = given.Token,
            Nkey = given.Nkey,
            Jwt = given.Jwt,
            Signature = given.Signature.IsEmpty ? null : Base64Url.EncodeToString(given.Signature.Span),
        };
    }

    // Credentials in one address also apply to announced servers.
    private ServerAddress? OwnOf(ServerAddress address) => address.User is not null || address.Token is not null ? address : _credentials;

    private async Task<ServerConnection> DialAsync(ServerPool.Server server, CancellationToken ct)
    {
        var address = server.Address;
        Log.Connecting(session.Logger, address.HostAndPort);
        using var timeout = new CancellationTokenSource(Options.ConnectTimeout, Options.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, timeout.Token);
        Connection? socket = null;
        try
        {
            socket = await _connector.ConnectAsync(address.Host, address.Port, either.Token).ConfigureAwait(false);
            var connection = new ServerConnection(session, Layer(socket, address), server);
            await connection.HandshakeAsync(either.Token).ConfigureAwait(false);
            return connection;
        }
        catch (SocketException error) when (_connector is MemoryConnector)
        {
            throw new NatsClientException(NatsErrorCode.ConnectionFailed, "The broker in this process has stopped or is stopping and accepts no connections.", error);
        }
        catch (SocketException error)
        {
            throw new NatsClientException(NatsErrorCode.ConnectionFailed, $"Cannot connect to {address.HostAndPort}: {error.Message}", error);
        }
        catch (OperationCanceledException error) when (timeout.IsCancellationRequested && !ct.IsCancellationRequested)
        {
            socket?.Close();
            throw new NatsClientException(
                socket is null ? NatsErrorCode.ConnectionFailed : NatsErrorCode.HandshakeTimeout,
                $"{address.HostAndPort} did not answer within {Options.ConnectTimeout.TotalSeconds:0.###} s ({Options.NameOf(nameof(ClientOptions.ConnectTimeout))}).",
                error);
        }
        catch
        {
            socket?.Close();
            throw;
        }
    }

    // The layers between the socket and the protocol from the first byte on.
    private Connection Layer(Connection socket, ServerAddress address)
    {
        var isWebSocket = address.WebSocketTarget is not null;
        var isSecure = isWebSocket ? address.RequiresTls || Options.Tls is not null : Options.Tls is { HandshakeFirst: true } && !socket.IsInMemory;
        var connection = isSecure ? TlsConnection.CreateClient(socket, ClientHandshake.CreateOptions(Options, address), Options.ConnectTimeout) : socket;
        if (!isWebSocket) return connection;
        return WebSocketConnection.CreateClient(connection, new WebSocketClientOptions
        {
            Host = address.HostAndPort,
            Target = address.WebSocketTarget!,
            Headers = Options.WebSocketHeaders,
            Compression = Options.WebSocketCompression,
            HandshakeTimeout = Options.ConnectTimeout,
        });
    }

    private void OnFailure(ServerPool.Server server, NatsClientException error, bool retries)
    {
        server.Failed(error, isRejection: error.Code == NatsErrorCode.AuthorizationFailed || (error.Code == NatsErrorCode.CredentialsUnavailable && Options.Credentials is null));
        if (!retries) return;
        session.Events.Tell(new ClientEvent(ClientEventKind.ReconnectFailed, server.Address.HostAndPort, Error: error));
        var spent = Options.MaxReconnectAttempts >= 0 && server.Failures >= Options.MaxReconnectAttempts;
        if (spent || server.Rejections >= MaxRejections) session.Servers.Remove(server);
    }

    // Doubles each round; at random between half and the whole of it, so that clients disconnected together do not return together.
    private TimeSpan WaitBefore(int round)
    {
        var whole = Math.Min(Options.MaxReconnectDelay.TotalMilliseconds, Options.ReconnectDelay.TotalMilliseconds * Math.Pow(2, Math.Min(round, 30)));
        return TimeSpan.FromMilliseconds(whole * (0.5 + (random.NextDouble() / 2)));
    }
}
