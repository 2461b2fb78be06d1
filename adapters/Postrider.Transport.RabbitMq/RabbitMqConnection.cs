using System.Text;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client;

namespace Postrider.Transport.RabbitMq;

/// <summary>A connection of a transport: opened when it is first needed, and again when it was lost.</summary>
/// <remarks>Thread-safe. The client's own recovery is off: it would send acknowledgements of the old connection over the new
/// one, and it does not notice a deleted queue.</remarks>
/// <param name="options">The server and the profiles.</param>
/// <param name="logger">Logs the profiles, once for a transport.</param>
/// <param name="first">The transport's other connection; null for none.</param>
internal sealed partial class RabbitMqConnection(RabbitMqOptions options, ILogger logger, RabbitMqConnection? first = null) : IAsyncDisposable
{
    // AMQP's codes for a virtual host that does not exist, and for one that the account may not use.
    private const ushort NotAllowed = 530;
    private const ushort AccessRefused = 403;

    // The highest max_message_size that a server accepts in its configuration.
    private const uint MaxServerBodyBytes = 512 * 1024 * 1024;

    /// <summary>The number of deliveries after which RabbitMQ 4 drops a message of a quorum queue.</summary>
    internal const int DefaultDeliveryLimit = 20;

    private readonly SemaphoreSlim _opening = new(1); // guards the replacement of _connection
    private volatile IConnection? _connection;
    private volatile bool _disposed;
    private int _logged;

    internal bool IsOpen => _connection is { IsOpen: true };

    internal bool IsDisposed => _disposed;

    internal RabbitMqOptions Options => options;

    internal ILogger Logger => logger;

    /// <summary>The server without the password.</summary>
    internal string Server { get; } = $"{options.Server.Host}:{(options.Server.Port < 0 ? 5672 : options.Server.Port)}{options.Server.AbsolutePath}";

    /// <summary>Whether a returned message does not count as delivered on quorum queues: from RabbitMQ 4.3 on.</summary>
    internal bool ReturnsAreFree { get; private set; }

    /// <summary>Whether a quorum queue without a limit of its own drops a message after <see cref="DefaultDeliveryLimit"/> deliveries: from RabbitMQ
    /// 4.0 on.</summary>
    internal bool LimitsDeliveries { get; private set; }

    /// <summary>Opens a channel.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the server rejects the account or the virtual
    /// host.</exception>
    /// <exception cref="RabbitMQ.Client.Exceptions.RabbitMQClientException">The server cannot be reached.</exception>
    internal async ValueTask<IChannel> OpenChannelAsync(CreateChannelOptions? channel, CancellationToken ct)
    {
        var connection = _connection is { IsOpen: true } open ? open : await OpenAsync(ct).ConfigureAwait(false);
        try
        {
            return await connection.CreateChannelAsync(channel, ct).ConfigureAwait(false);
        }
        catch (RabbitMQ.Client.Exceptions.OperationInterruptedException refused) when (refused.ShutdownReason?.ReplyCode is NotAllowed or AccessRefused)
        {
            // The server reports an error in the virtual host after the client considers the connection open.
            throw Rejected(refused);
        }
    }

    public async ValueTask DisposeAsync()
    {
        _disposed = true;
        await _opening.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        try
        {
            if (_connection is { } connection)
                await connection.DisposeAsync().ConfigureAwait(false);
            _connection = null;
        }
        finally
        {
            _opening.Release();
        }
    }

    private async ValueTask<IConnection> OpenAsync(CancellationToken ct)
    {
        await _opening.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            if (_connection is { IsOpen: true } open)
                return open;
            ObjectDisposedException.ThrowIf(_disposed, typeof(RabbitMqTransport));
            if (_connection is { } lost)
                await DisposeLostAsync(lost).ConfigureAwait(false);
            var factory = new ConnectionFactory
            {
                Uri = options.Server,
                ClientProvidedName = options.ClientName,
                AutomaticRecoveryEnabled = false,
                TopologyRecoveryEnabled = false,
                RequestedHeartbeat = TimeSpan.FromSeconds(10),
                // The adapter limits received messages by prefetch, and the server their size: a message that the client rejects closes the
                // connection, and is the first one of the next.
                MaxInboundMessageBodySize = MaxServerBodyBytes,
            };
            var connection = await factory.CreateConnectionAsync(ct).ConfigureAwait(false);
            var version = Version(connection);
            (LimitsDeliveries, ReturnsAreFree) = (version >= new Version(4, 0), version >= new Version(4, 3));
            if (options.Observability.LogProfiles && Interlocked.Exchange(ref (first ?? this)._logged, 1) == 0)
                LogProfiles(logger, Server, options.Throughput, options.Retry, options.Poison, options.Observability);
            _connection = connection;
            return connection;
        }
        catch (RabbitMQ.Client.Exceptions.BrokerUnreachableException refused) when (refused.InnerException is RabbitMQ.Client.Exceptions.AuthenticationFailureException or RabbitMQ.Client.Exceptions.OperationInterruptedException)
        {
            throw Rejected(refused.InnerException);
        }
        finally
        {
            _opening.Release();
        }
    }

    /// <summary>Describes a failure of the server or of the connection, in one line.</summary>
    internal string Describe(Exception failure) => failure switch
    {
        RabbitMQ.Client.Exceptions.BrokerUnreachableException => $"RabbitMQ at {Server} cannot be reached: {failure.GetBaseException().Message.TrimEnd('.')}.",
        PostriderException => failure.Message,
        _ => $"{failure.GetType().Name} at {Server}: {failure.Message.ReplaceLineEndings(" ")}",
    };

    /// <summary>The stack for the log; null for a lost connection, unless details are logged.</summary>
    internal Exception? StackOf(Exception failure) => Logger.IsEnabled(LogLevel.Debug) || !(RabbitMqErrors.IsLost(failure) || failure is PostriderException) ? failure : null;

    private PostriderException Rejected(Exception refused)
    {
        var reason = (refused as RabbitMQ.Client.Exceptions.OperationInterruptedException)?.ShutdownReason?.ReplyText ?? refused.Message;
        return new(PostriderError.Configuration, $"RabbitMQ at {Server} rejects the connection: {reason.TrimEnd('.')}. Check user, password and virtual host of {nameof(options.Server)} in {options.Place}.", refused);
    }

    private static async ValueTask DisposeLostAsync(IConnection lost)
    {
        try
        {
            await lost.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception gone) when (RabbitMqErrors.IsLost(gone))
        {
            // The connection is already closed.
        }
    }

    private static Version Version(IConnection connection)
        => connection.ServerProperties is { } known && known.TryGetValue("version", out var value) && value is byte[] bytes
            && System.Version.TryParse(Encoding.UTF8.GetString(bytes).Split('-', '+')[0], out var version)
            ? version
            : new Version(0, 0);

    [LoggerMessage(1, LogLevel.Information, "Connected to RabbitMQ at {Server}. Effective profiles: {Throughput}; {Retry}; {Poison}; {Observability}.")]
    private static partial void LogProfiles(ILogger logger, string server, RabbitMqThroughput throughput, RabbitMqRetry retry, RabbitMqPoison poison, RabbitMqObservability observability);
}
