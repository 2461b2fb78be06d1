using System.Collections.Concurrent;
using Confluent.Kafka;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Transports;

namespace Postrider.Transport.Kafka;

/// <summary>Sends and receives messages over Kafka, or Azure Event Hubs: a send completes when the servers have confirmed the message, and
/// a message is handled at least once by each group.</summary>
/// <remarks>
/// Thread-safe. Destinations are topics; the key of a message chooses its partition. Bindings are <see cref="KafkaBinding"/>s. Commands and
/// notifications only: requests with a response are not supported, and there are no delays. Transactions are not used. Source:
/// docs/guide/kafka.md.
/// </remarks>
public sealed class KafkaTransport : ITransport
{
    internal const string TransportName = "kafka";

    private readonly KafkaConnection _connection;
    private readonly ConcurrentDictionary<KafkaListener, bool> _listeners = new();

    /// <summary>Creates a transport; it connects when it is first used.</summary>
    /// <param name="options">The servers, the account and the profiles.</param>
    /// <param name="loggers">Log the client's errors, lost partitions and dead letters; null for no logs.</param>
    /// <param name="time">The clock; null for the system's.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: an option is out of range, or contradicts another
    /// one.</exception>
    public KafkaTransport(KafkaOptions options, ILoggerFactory? loggers = null, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        KafkaOptionsCheck.Check(options);
        _connection = new(options, loggers?.CreateLogger<KafkaTransport>() ?? (ILogger)NullLogger.Instance, time ?? TimeProvider.System);
    }

    /// <inheritdoc/>
    public string Name => TransportName;

    /// <inheritdoc/>
    public TransportAbilities Abilities => PossibleAbilities;

    /// <summary>The abilities, whatever the options are.</summary>
    internal static TransportAbilities PossibleAbilities
        => TransportAbilities.Durability | TransportAbilities.Redelivery | TransportAbilities.Expiry | TransportAbilities.Groups | TransportAbilities.OrderByKey;

    /// <inheritdoc/>
    /// <remarks>True for the topic of the binding on the same servers.</remarks>
    public bool Reaches(string destination, ITransport listener, TransportBinding binding)
    {
        ArgumentNullException.ThrowIfNull(destination);
        ArgumentNullException.ThrowIfNull(binding);
        return listener is KafkaTransport other && other._connection.Servers == _connection.Servers && string.Equals(destination, binding.Source, StringComparison.Ordinal);
    }

    /// <inheritdoc/>
    public MessageSender OpenSender(SendTarget target)
    {
        ArgumentNullException.ThrowIfNull(target);
        return new KafkaSender(this, _connection, target);
    }

    /// <inheritdoc/>
    /// <remarks>The listener joins its group in the background; <see cref="CheckHealthAsync"/> reports errors that prevent it from reading.</remarks>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: not an <see cref="AtLeastOnceBinding"/> with a group,
    /// or one that is invalid or conflicts with the servers; <see cref="PostriderError.NoListener"/>: a topic that the binding does not
    /// declare is missing.</exception>
    /// <exception cref="TimeoutException">The servers do not respond.</exception>
    public async ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(receiver);
        var bound = Bound(binding);
        var deadLetters = bound.DeadLetter is { } topic ? new KafkaSender(this, _connection, new SendTarget(topic), isOfDeadLetters: true) : null;
        var listener = new KafkaListener(_connection, bound, receiver, deadLetters);
        await new KafkaTopology(_connection, bound).ApplyAsync(bound.DeclaresTopology, ct).ConfigureAwait(false);
        listener.Start();
        _listeners[listener] = true;
        return new Listening(this, listener);
    }

    /// <summary>Compares the servers with a binding and changes nothing.</summary>
    /// <param name="binding">The binding.</param>
    /// <param name="ct">Cancels the questions.</param>
    /// <returns>The missing or different topics; empty if there are none.</returns>
    /// <exception cref="TimeoutException">The servers do not respond.</exception>
    public ValueTask<IReadOnlyList<KafkaTopologyChange>> PlanAsync(KafkaBinding binding, CancellationToken ct = default)
        => new KafkaTopology(_connection, Bound(binding)).PlanAsync(ct);

    /// <summary>Creates the topics that a binding needs and the servers lack. Listeners do this themselves, unless their binding says
    /// otherwise.</summary>
    /// <param name="binding">The binding.</param>
    /// <param name="ct">Cancels it.</param>
    /// <returns>Completes when the topics are there.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: a topic has fewer partitions, or cannot be created;
    /// nothing that exists is changed.</exception>
    public ValueTask ApplyAsync(KafkaBinding binding, CancellationToken ct = default)
        => new KafkaTopology(_connection, Bound(binding)).ApplyAsync(creates: true, ct);

    /// <inheritdoc/>
    /// <remarks>A redelivered one is sent to the topic where it arrived, and every group of that topic gets it. Redelivered or
    /// removed ones are skipped by the offset of a group, and leave the topic by its retention.</remarks>
    public IDeadLetters OpenDeadLetters(string source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return new KafkaDeadLetters(this, _connection, KafkaTopic.Check(source));
    }

    /// <inheritdoc/>
    /// <remarks>Requests the list of servers and the topic of every listener, and checks whether each listener reads.</remarks>
    public async ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct)
    {
        if (_connection.IsDisposed)
            return HealthCheckResult.Unhealthy("The transport was disposed.");
        try
        {
            var metadata = await _connection.AskAsync(topic: null, ct).ConfigureAwait(false);
            foreach (var listener in _listeners.Keys)
            {
                if (listener.Problem is { } problem)
                    return HealthCheckResult.Degraded($"Topic '{listener.Topic}' is not read: {problem}.");
                if ((await _connection.AskAsync(listener.Topic, ct).ConfigureAwait(false)).Topics.Single().Error is { IsError: true } error)
                    return HealthCheckResult.Degraded($"Topic '{listener.Topic}' is not read: {error.Reason}.");
            }

            return HealthCheckResult.Healthy($"Kafka at {_connection.Servers} responds with {metadata.Brokers.Count} servers; {_listeners.Count} topics are read.");
        }
        catch (PostriderException rejected)
        {
            return HealthCheckResult.Unhealthy(rejected.Message, rejected);
        }
        catch (TimeoutException silent)
        {
            return HealthCheckResult.Degraded(silent.Message, silent);
        }
        catch (ObjectDisposedException)
        {
            return HealthCheckResult.Unhealthy("The transport was disposed.");
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var listener in _listeners.Keys)
            await listener.DisposeAsync().ConfigureAwait(false);
        await _connection.DisposeAsync().ConfigureAwait(false);
    }

    private KafkaBinding Bound(TransportBinding binding)
    {
        ArgumentNullException.ThrowIfNull(binding);
        var bound = binding switch
        {
            KafkaBinding own => own,
            AtLeastOnceBinding any => new KafkaBinding(any),
            _ => throw new PostriderException(PostriderError.Configuration, $"'{binding.Source}' is bound without a group that commits finished messages, which transport '{Name}' requires: use a {nameof(KafkaBinding)}."),
        };
        bound.Check();
        return bound;
    }

    private sealed class Listening(KafkaTransport transport, KafkaListener listener) : IAsyncDisposable
    {
        public async ValueTask DisposeAsync()
        {
            await listener.DisposeAsync().ConfigureAwait(false);
            transport._listeners.TryRemove(listener, out _);
        }
    }
}
