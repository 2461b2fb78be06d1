using System.Collections.Concurrent;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Transports;
using RabbitMQ.Client.Exceptions;

namespace Postrider.Transport.RabbitMq;

/// <summary>Sends and receives messages over RabbitMQ: a send completes when the server has confirmed the message, and a message is kept
/// until it is settled.</summary>
/// <remarks>
/// Thread-safe. Destinations are <c>queue</c> or <c>exchange/routing.key</c>; bindings are <see cref="RabbitMqBinding"/>s. Commands and
/// notifications only: requests with a response are not supported. The connection is opened when it is first needed and again when it is
/// lost. Source: docs/guide/rabbitmq.md, AMQP 0.9.1.
/// </remarks>
public sealed class RabbitMqTransport : ITransport
{
    internal const string TransportName = "rabbitmq";

    private readonly RabbitMqConnection _connection;
    // While the server is short of memory or disk it reads nothing from a connection that publishes: neither would it see acknowledgements.
    private readonly RabbitMqConnection _publishing;
    private readonly RabbitMqPublisher _publisher;
    private readonly TimeProvider _time;
    private readonly ConcurrentDictionary<RabbitMqListener, bool> _listeners = new();
    // By queue: the number of dead letters that the last scan returned.
    private readonly ConcurrentDictionary<string, long> _givenBack = new(StringComparer.Ordinal);

    /// <summary>Creates a transport; it connects when it is first used.</summary>
    /// <param name="options">The server and the profiles.</param>
    /// <param name="loggers">Log connections, lost consumers and dead letters; null for no logs.</param>
    /// <param name="time">The clock; null for the system's.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: an option is out of range.</exception>
    public RabbitMqTransport(RabbitMqOptions options, ILoggerFactory? loggers = null, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        Check(options);
        _time = time ?? TimeProvider.System;
        var logger = loggers?.CreateLogger<RabbitMqTransport>() ?? (ILogger)NullLogger.Instance;
        _connection = new(options, logger);
        _publishing = new(options, logger, _connection);
        _publisher = new(_publishing, _time);
    }

    /// <inheritdoc/>
    public string Name => TransportName;

    /// <inheritdoc/>
    public TransportAbilities Abilities => PossibleAbilities;

    /// <summary>The abilities, whatever the options are.</summary>
    internal static TransportAbilities PossibleAbilities
        => TransportAbilities.Durability | TransportAbilities.Redelivery | TransportAbilities.Delay | TransportAbilities.Expiry | TransportAbilities.OrderByKey;

    /// <inheritdoc/>
    /// <remarks>True for the queue of the binding, for an exchange of its topics, and for its fanout exchanges.</remarks>
    public bool Reaches(string destination, ITransport listener, TransportBinding binding)
    {
        ArgumentNullException.ThrowIfNull(destination);
        ArgumentNullException.ThrowIfNull(binding);
        if (listener is not RabbitMqTransport other || other._connection.Server != _connection.Server)
            return false;
        var address = RabbitMqAddress.Parse(destination);
        return address.Exchange.Length == 0
            ? string.Equals(address.RoutingKey, binding.Source, StringComparison.Ordinal)
            : binding is RabbitMqBinding bound
                && (bound.FanoutExchanges.Contains(address.Exchange, StringComparer.Ordinal)
                    || bound.Topics.Any(topic => RabbitMqTopics.Matches(RabbitMqAddress.Parse(topic), address)));
    }

    /// <inheritdoc/>
    public MessageSender OpenSender(SendTarget target)
    {
        ArgumentNullException.ThrowIfNull(target);
        return new RabbitMqSender(this, _publisher, _connection.Options, _time, target);
    }

    /// <inheritdoc/>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: not an <see cref="AtLeastOnceBinding"/>, or one
    /// that is invalid or conflicts with the server; <see cref="PostriderError.NoListener"/>: a queue that the binding does not declare
    /// is missing.</exception>
    public async ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(receiver);
        var bound = Bound(binding);
        var deadLetters = bound.DeadLetter is { } queue ? new RabbitMqSender(this, _publisher, _connection.Options, _time, new SendTarget(queue)) : null;
        var listener = new RabbitMqListener(_connection, _publisher, bound, receiver, deadLetters, _time);
        await listener.StartAsync(ct).ConfigureAwait(false);
        _listeners[listener] = true;
        return new Listening(this, listener);
    }

    /// <summary>Compares the server with a binding and changes nothing.</summary>
    /// <param name="binding">The binding.</param>
    /// <param name="ct">Cancels the questions.</param>
    /// <returns>The missing or different objects; empty if there are none.</returns>
    public ValueTask<IReadOnlyList<RabbitMqTopologyChange>> PlanAsync(RabbitMqBinding binding, CancellationToken ct = default)
        => new RabbitMqTopology(_connection, Bound(binding)).PlanAsync(ct);

    /// <summary>Declares objects that a binding needs and the server lacks. Listeners do this themselves, unless disabled by their binding.</summary>
    /// <param name="binding">The binding.</param>
    /// <param name="ct">Cancels it.</param>
    /// <returns>Completes when everything is declared.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: an object exists with other arguments; nothing
    /// that exists is changed.</exception>
    public ValueTask ApplyAsync(RabbitMqBinding binding, CancellationToken ct = default)
        => new RabbitMqTopology(_connection, Bound(binding)).ApplyAsync(ct);

    /// <inheritdoc/>
    /// <remarks>Sorted by id, and at most 10,000 messages or 64 MiB of the queue are read: the server returns what was
    /// looked at in any order.</remarks>
    public IDeadLetters OpenDeadLetters(string source)
    {
        ArgumentException.ThrowIfNullOrEmpty(source);
        return new RabbitMqDeadLetters(_connection, _publisher, source, _givenBack);
    }

    /// <inheritdoc/>
    /// <remarks>Checks the queue of every listener with the server, and that each one has its consumer.</remarks>
    public async ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct)
    {
        if (_connection.IsDisposed)
            return HealthCheckResult.Unhealthy("The transport was disposed.");
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(_connection.Options.Observability.ProbeTimeout);
        try
        {
            var channel = await _connection.OpenChannelAsync(null, limit.Token).ConfigureAwait(false);
            await using (channel.ConfigureAwait(false))
            {
                foreach (var listener in _listeners.Keys)
                {
                    if (!listener.IsConsuming)
                        return HealthCheckResult.Degraded($"Queue '{listener.Queue}' has no consumer here; it is being opened again.");
                    await channel.QueueDeclarePassiveAsync(listener.Queue, limit.Token).ConfigureAwait(false);
                }
            }

            return HealthCheckResult.Healthy($"RabbitMQ at {_connection.Server} responds; {_listeners.Count} queues are consumed.");
        }
        catch (PostriderException refused)
        {
            return HealthCheckResult.Unhealthy(refused.Message, refused);
        }
        catch (OperationInterruptedException missing)
        {
            return HealthCheckResult.Unhealthy($"RabbitMQ at {_connection.Server}: {missing.ShutdownReason?.ReplyText}", missing);
        }
        catch (Exception lost) when (RabbitMqErrors.IsLost(lost) && !ct.IsCancellationRequested)
        {
            return HealthCheckResult.Degraded($"RabbitMQ at {_connection.Server} does not answer: {lost.Message}", lost);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var listener in _listeners.Keys)
            await listener.DisposeAsync().ConfigureAwait(false);
        await _publisher.DisposeAsync().ConfigureAwait(false);
        await _publishing.DisposeAsync().ConfigureAwait(false);
        await _connection.DisposeAsync().ConfigureAwait(false);
    }

    private RabbitMqBinding Bound(TransportBinding binding)
    {
        ArgumentNullException.ThrowIfNull(binding);
        var bound = binding switch
        {
            RabbitMqBinding own => own,
            AtLeastOnceBinding any => new RabbitMqBinding(any),
            _ => throw new PostriderException(PostriderError.Configuration, $"'{binding.Source}' is bound without a queue that keeps its messages, which transport '{Name}' requires: use a {nameof(RabbitMqBinding)}."),
        };
        bound.Check();
        return bound;
    }

    private static void Check(RabbitMqOptions options)
    {
        Require(options.Server is { Scheme: "amqp" or "amqps", Host.Length: > 0 }, $"Server '{options.Server.Scheme}://{options.Server.Host}' must be an address such as amqp://localhost:5672/");
        Require(options.Throughput.MaxUnconfirmed is >= 1 and <= 65_535, $"Throughput.MaxUnconfirmed is {options.Throughput.MaxUnconfirmed} and must be from 1 to 65535");
        Require(options.Throughput.PrefetchFactor is >= 1 and <= 100, $"Throughput.PrefetchFactor is {options.Throughput.PrefetchFactor} and must be from 1 to 100");
        Require(options.Retry.SendAttempts >= 1, $"Retry.SendAttempts is {options.Retry.SendAttempts} and must be at least 1");
        Require(options.Retry.MaxPause > TimeSpan.Zero, $"Retry.MaxPause is {options.Retry.MaxPause} and must be greater than zero");
        Require(options.Retry.DelayQueueLife >= TimeSpan.FromMinutes(1), $"Retry.DelayQueueLife is {options.Retry.DelayQueueLife} and must be at least a minute");
        Require(options.Poison.MaxBodyBytes >= 1, $"Poison.MaxBodyBytes is {options.Poison.MaxBodyBytes} and must be at least 1");
        Require(options.Observability.ProbeTimeout > TimeSpan.Zero, $"Observability.ProbeTimeout is {options.Observability.ProbeTimeout} and must be greater than zero");
    }

    private static void Require(bool holds, string what)
    {
        if (!holds)
            throw new PostriderException(PostriderError.Configuration, $"RabbitMqOptions.{what}.");
    }

    private sealed class Listening(RabbitMqTransport transport, RabbitMqListener listener) : IAsyncDisposable
    {
        public async ValueTask DisposeAsync()
        {
            await listener.DisposeAsync().ConfigureAwait(false);
            transport._listeners.TryRemove(listener, out _);
        }
    }
}
