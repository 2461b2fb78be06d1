using System.Collections.Concurrent;
using AmqpException = Amqp.AmqpException;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Transports;

namespace Postrider.Transport.ServiceBus;

/// <summary>Sends and receives messages over Azure Service Bus: a send completes when the service has stored the message, and a message is
/// locked for its listener until it is settled.</summary>
/// <remarks>
/// Thread-safe. Destinations are queues and topics; bindings are <see cref="ServiceBusBinding"/>s of queues, subscriptions and dead-letter
/// queues. Commands and notifications only: requests with a response are not supported. The connection is opened when it is first needed
/// and again when it is lost. Never run against Azure: see docs/guide/service-bus.md. Source: AMQP 1.0, "AMQP 1.0 in Azure Service Bus
/// protocol guide", "AMQP request/response operations".
/// </remarks>
public sealed class ServiceBusTransport : ITransport
{
    internal const string TransportName = "servicebus";

    private readonly ServiceBusConnection _connection;
    private readonly ConcurrentDictionary<string, Lazy<EntitySender>> _senders = new(StringComparer.OrdinalIgnoreCase);
    private readonly ConcurrentDictionary<ServiceBusListener, bool> _listeners = new();

    /// <summary>Creates a transport; it connects when it is first used.</summary>
    /// <param name="options">The namespace, the credentials and the profiles.</param>
    /// <param name="loggers">Log connections, lost links and dead letters; null for no logs.</param>
    /// <param name="time">The clock; null for the system's.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: an option is out of range, or options contradict
    /// each other.</exception>
    public ServiceBusTransport(ServiceBusOptions options, ILoggerFactory? loggers = null, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        var address = ServiceBusOptionsCheck.Check(options);
        _connection = new(options, address, loggers?.CreateLogger<ServiceBusTransport>() ?? (ILogger)NullLogger.Instance, time ?? TimeProvider.System);
    }

    /// <inheritdoc/>
    public string Name => TransportName;

    /// <inheritdoc/>
    public TransportAbilities Abilities => PossibleAbilities;

    /// <summary>The abilities, whatever the options are.</summary>
    internal static TransportAbilities PossibleAbilities
        => TransportAbilities.Durability | TransportAbilities.Redelivery | TransportAbilities.Delay | TransportAbilities.Expiry | TransportAbilities.OrderByKey;

    /// <inheritdoc/>
    /// <remarks>True for the queue of the binding, and for the topic of its subscription.</remarks>
    public bool Reaches(string destination, ITransport listener, TransportBinding binding)
    {
        ArgumentNullException.ThrowIfNull(destination);
        ArgumentNullException.ThrowIfNull(binding);
        return listener is ServiceBusTransport other && ServiceBusEntity.Same(other._connection.Server, _connection.Server)
            && !ServiceBusEntity.IsDeadLetterQueue(binding.Source) && ServiceBusEntity.Same(ServiceBusEntity.DestinationOf(binding.Source), destination);
    }

    /// <inheritdoc/>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the destination is not a name of a queue or topic,
    /// or the connection string is for another one.</exception>
    public MessageSender OpenSender(SendTarget target)
    {
        ArgumentNullException.ThrowIfNull(target);
        if (ServiceBusEntity.Problem(target.Destination, sends: true) is { } wrong)
            throw new PostriderException(PostriderError.Configuration, $"Destination '{target.Destination}' {wrong}.");
        _connection.CheckEntity(target.Destination);
        return new ServiceBusSender(this, _connection, SenderOf(target.Destination), target);
    }

    /// <inheritdoc/>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: not an <see cref="AtLeastOnceBinding"/>, or one
    /// that is invalid, or rejected credentials; <see cref="PostriderError.NoListener"/>: there is no such queue or
    /// subscription.</exception>
    public async ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(receiver);
        var bound = Bound(binding);
        var deadLetters = bound is { DeadLetter: { } queue, UsesOwnDeadLetterQueue: false } ? OpenSender(queue) : null;
        // A copy for a later attempt would reach every subscription of a topic, and nothing can be sent to a dead-letter queue.
        var copies = ServiceBusEntity.IsSubscription(bound.Source) || ServiceBusEntity.IsDeadLetterQueue(bound.Source) ? null : SenderOf(bound.Source);
        var ownDeadLetters = bound is { DeadLetter: { } own, UsesOwnDeadLetterQueue: true } ? OpenDeadLetters(own) : null;
        var listener = new ServiceBusListener(_connection, bound, copies, receiver, deadLetters, ownDeadLetters);
        try
        {
            await listener.StartAsync(ct).ConfigureAwait(false);
        }
        catch (AmqpException failure)
        {
            throw ServiceBusErrors.Translate(failure, bound.Source, _connection.Server);
        }

        _listeners[listener] = true;
        return new Listening(this, listener);
    }

    /// <inheritdoc/>
    /// <remarks>The dead letters are in the order of their sequence numbers, which are their ids.</remarks>
    public IDeadLetters OpenDeadLetters(string source)
    {
        ArgumentException.ThrowIfNullOrEmpty(source);
        if (ServiceBusEntity.Problem(source, sends: false) is { } wrong)
            throw new PostriderException(PostriderError.Configuration, $"'{source}' {wrong}.");
        _connection.CheckEntity(source);
        return new ServiceBusDeadLetters(this, _connection, source);
    }

    /// <inheritdoc/>
    /// <remarks>Requests a message of every listener's source, without taking it, and checks that each one has its link.</remarks>
    public async ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct)
    {
        if (_connection.IsDisposed)
            return HealthCheckResult.Unhealthy("The transport was disposed.");
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(_connection.Options.Observability.ProbeTimeout);
        var asked = _connection.Address.EntityPath ?? "";
        try
        {
            var connection = await _connection.OpenAsync(limit.Token).ConfigureAwait(false);
            foreach (var listener in _listeners.Keys)
            {
                asked = listener.Source;
                if (!listener.IsReceiving)
                    return HealthCheckResult.Degraded($"'{listener.Source}' has no link here; it is being opened again.");
                await ServiceBusProbe.AskAsync(connection, listener.Source, limit.Token).ConfigureAwait(false);
            }

            if (_listeners.IsEmpty)
                await connection.AuthorizeAsync(asked, limit.Token).ConfigureAwait(false);
            return HealthCheckResult.Healthy($"Service Bus at {_connection.Server} responds; messages are received from {_listeners.Count} sources.");
        }
        catch (PostriderException refused)
        {
            return HealthCheckResult.Unhealthy(refused.Message, refused);
        }
        catch (Exception lost) when (!ct.IsCancellationRequested)
        {
            return ServiceBusErrors.Translate(lost, asked, _connection.Server) is PostriderException known
                ? HealthCheckResult.Unhealthy(known.Message, lost)
                : HealthCheckResult.Degraded($"Service Bus at {_connection.Server} does not answer: {lost.Message}", lost);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var listener in _listeners.Keys)
            await listener.DisposeAsync().ConfigureAwait(false);
        foreach (var sender in _senders.Values)
            await sender.Value.DisposeAsync().ConfigureAwait(false);
        await _connection.DisposeAsync().ConfigureAwait(false);
    }

    private EntitySender SenderOf(string entity) => _senders.GetOrAdd(entity, key => new Lazy<EntitySender>(() => new EntitySender(_connection, key))).Value;

    private ServiceBusBinding Bound(TransportBinding binding)
    {
        ArgumentNullException.ThrowIfNull(binding);
        var bound = binding switch
        {
            ServiceBusBinding own => own,
            AtLeastOnceBinding any => new ServiceBusBinding(any),
            _ => throw new PostriderException(PostriderError.Configuration, $"'{binding.Source}' is bound without a queue that keeps its messages, which transport '{Name}' requires: use a {nameof(ServiceBusBinding)}."),
        };
        bound.Check();
        _connection.CheckEntity(bound.Source);
        return bound;
    }

    private sealed class Listening(ServiceBusTransport transport, ServiceBusListener listener) : IAsyncDisposable
    {
        public async ValueTask DisposeAsync()
        {
            await listener.DisposeAsync().ConfigureAwait(false);
            transport._listeners.TryRemove(listener, out _);
        }
    }
}
