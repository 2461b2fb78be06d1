using System.Collections.Concurrent;
using Amazon.SQS.Model;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Transports;

namespace Postrider.Transport.Aws;

/// <summary>Sends messages to queues of SQS, topics of SNS and buses of EventBridge, and receives them from queues: a send completes when
/// the service has stored the message, and a message is kept until it is settled.</summary>
/// <remarks>
/// Thread-safe. Destinations are <c>queue</c>, <c>sns/topic</c> or <c>events/bus</c>; bindings are <see cref="SqsBinding"/>s. Commands and
/// notifications only: requests with a response are not supported. Source: docs/guide/aws.md.
/// </remarks>
public sealed class AwsTransport : ITransport
{
    internal const string TransportName = AwsErrors.TransportName;

    private readonly AwsConnection _connection;
    private readonly ConcurrentDictionary<SqsListener, bool> _listeners = new();

    /// <summary>Creates a transport; it connects when it is first used.</summary>
    /// <param name="options">The region, the credentials and the profiles.</param>
    /// <param name="loggers">Log repeated requests, lost leases and dead letters; null for no logs.</param>
    /// <param name="time">The clock; null for the system's.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: an option is out of range or contradicts another
    /// one, or no region is named anywhere.</exception>
    public AwsTransport(AwsOptions options, ILoggerFactory? loggers = null, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        AwsOptionsCheck.Check(options);
        _connection = new(options, loggers?.CreateLogger<AwsTransport>() ?? (ILogger)NullLogger.Instance, time ?? TimeProvider.System);
    }

    /// <inheritdoc/>
    public string Name => TransportName;

    /// <inheritdoc/>
    /// <remarks>Those of the queues' type: standard queues delay messages, FIFO queues recognize repetitions.</remarks>
    public TransportAbilities Abilities
        => TransportAbilities.Durability | TransportAbilities.Redelivery | TransportAbilities.Expiry | TransportAbilities.OrderByKey
            | (QueueType == AwsQueueType.Fifo ? TransportAbilities.Deduplication : TransportAbilities.Delay);

    /// <summary>The abilities of both types of queues.</summary>
    internal static TransportAbilities PossibleAbilities
        => TransportAbilities.Durability | TransportAbilities.Redelivery | TransportAbilities.Expiry | TransportAbilities.OrderByKey
            | TransportAbilities.Deduplication | TransportAbilities.Delay;

    private AwsQueueType QueueType => _connection.Options.QueueType;

    /// <inheritdoc/>
    /// <remarks>True for the queue of the binding, and for its topics and buses.</remarks>
    public bool Reaches(string destination, ITransport listener, TransportBinding binding)
    {
        ArgumentNullException.ThrowIfNull(destination);
        ArgumentNullException.ThrowIfNull(binding);
        if (listener is not AwsTransport other || other._connection.Service != _connection.Service || other.QueueType != QueueType)
            return false;
        var target = AwsDestination.Parse(destination, QueueType);
        var bound = binding as SqsBinding;
        return target.Kind switch
        {
            AwsDestinationKind.Topic => bound?.Topics.Any(topic => AwsDestination.Parse($"sns/{topic}", QueueType) == target) ?? false,
            AwsDestinationKind.EventBus => bound?.Events.Any(rule => rule.Bus == target.Name) ?? false,
            _ => AwsDestination.Parse(binding.Source, QueueType) == target,
        };
    }

    /// <inheritdoc/>
    public MessageSender OpenSender(SendTarget target)
    {
        ArgumentNullException.ThrowIfNull(target);
        return new AwsSender(this, _connection, target);
    }

    /// <inheritdoc/>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: not an <see cref="AtLeastOnceBinding"/>, one that
    /// is invalid or conflicts with the service, or the service rejects the credentials; <see cref="PostriderError.NoListener"/>: a queue
    /// that the binding does not declare is missing.</exception>
    /// <exception cref="TimeoutException">The service does not respond.</exception>
    public async ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(receiver);
        var bound = Bound(binding);
        var deadLetters = bound.DeadLetter is { } destination ? new AwsSender(this, _connection, destination, isForDeadLetters: true) : null;
        var listener = new SqsListener(_connection, bound, AwsDestination.Parse(bound.Source, QueueType).Name, receiver, deadLetters, new AwsTopology(_connection, bound));
        await listener.StartAsync(ct).ConfigureAwait(false);
        _listeners[listener] = true;
        return new Listening(this, listener);
    }

    /// <summary>Compares the service with a binding and changes nothing.</summary>
    /// <param name="binding">The binding.</param>
    /// <param name="ct">Cancels the questions.</param>
    /// <returns>The missing or different resources; empty if there are none.</returns>
    /// <exception cref="TimeoutException">The service does not respond.</exception>
    public ValueTask<IReadOnlyList<AwsTopologyChange>> PlanAsync(SqsBinding binding, CancellationToken ct = default)
        => new AwsTopology(_connection, Bound(binding)).PlanAsync(ct);

    /// <summary>Creates the resources that a binding needs and the service lacks. Listeners do this themselves, unless their binding says
    /// otherwise.</summary>
    /// <param name="binding">The binding.</param>
    /// <param name="ct">Cancels it.</param>
    /// <returns>Completes when all resources exist.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: a resource exists with other settings, or the
    /// account may not create it; nothing that exists is changed.</exception>
    public ValueTask ApplyAsync(SqsBinding binding, CancellationToken ct = default)
        => new AwsTopology(_connection, Bound(binding)).ApplyAsync(ct);

    /// <inheritdoc/>
    /// <remarks>At most 10,000 messages or 64 MiB of the queue are read, and other receivers do not get them meanwhile. A redelivered message
    /// goes to the queue where it failed.</remarks>
    public IDeadLetters OpenDeadLetters(string source)
    {
        ArgumentException.ThrowIfNullOrEmpty(source);
        var destination = AwsDestination.Parse(source, QueueType);
        return destination.Kind == AwsDestinationKind.Queue
            ? new AwsDeadLetters(this, _connection, source, destination.Name)
            : throw new PostriderException(PostriderError.Configuration, $"'{source}' is not a queue: dead letters can be listed in a queue, which may be subscribed to a topic.");
    }

    /// <inheritdoc/>
    /// <remarks>Checks the queue of every listener with the service, and whether each listener receives.</remarks>
    public async ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct)
    {
        if (_connection.IsDisposed)
            return HealthCheckResult.Unhealthy("The transport was disposed.");
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(_connection.Options.Observability.ProbeTimeout);
        try
        {
            foreach (var listener in _listeners.Keys)
            {
                await ProbeAsync(listener.Queue, limit.Token).ConfigureAwait(false);
                if (listener.Problem is { } problem)
                    return problem is PostriderException ? HealthCheckResult.Unhealthy($"No messages are received from queue '{listener.Queue}': {problem.Message}", problem) : HealthCheckResult.Degraded($"No messages are received from queue '{listener.Queue}': {problem.Message}", problem);
            }

            if (_listeners.IsEmpty)
                await ProbeAnyAsync(limit.Token).ConfigureAwait(false);
            return HealthCheckResult.Healthy($"{_connection.Service} responds; messages are received from {_listeners.Count} queues.");
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            return HealthCheckResult.Degraded($"{_connection.Service} did not answer within {_connection.Options.Observability.ProbeTimeout}.");
        }
        catch (ObjectDisposedException)
        {
            return HealthCheckResult.Unhealthy("The transport was disposed.");
        }
        catch (Exception error) when (!ct.IsCancellationRequested)
        {
            var told = AwsErrors.Translate(error, "the queues", _connection.Service);
            return told is PostriderException ? HealthCheckResult.Unhealthy(told.Message, told) : HealthCheckResult.Degraded($"{_connection.Service} does not answer: {error.Message}", told);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var listener in _listeners.Keys)
            await listener.DisposeAsync().ConfigureAwait(false);
        _connection.Dispose();
    }

    private async ValueTask ProbeAsync(string queue, CancellationToken ct)
    {
        try
        {
            var url = await _connection.OnceAsync(stop => _connection.QueueUrlAsync(queue, stop), ct).ConfigureAwait(false);
            await _connection.OnceAsync(stop => _connection.Sqs.GetQueueAttributesAsync(new GetQueueAttributesRequest(url, ["ApproximateNumberOfMessages"]), stop), ct).ConfigureAwait(false);
        }
        catch (Exception error) when (error is not OperationCanceledException and not ObjectDisposedException)
        {
            throw AwsErrors.Translate(error, queue, _connection.Service);
        }
    }

    // If the account may not list queues, the service has still responded.
    private async ValueTask ProbeAnyAsync(CancellationToken ct)
    {
        try
        {
            await _connection.OnceAsync(stop => _connection.Sqs.ListQueuesAsync(new ListQueuesRequest { MaxResults = 1 }, stop), ct).ConfigureAwait(false);
        }
        catch (Amazon.Runtime.AmazonServiceException denied) when (AwsErrors.IsDenied(denied))
        {
            // The service responds.
        }
    }

    private SqsBinding Bound(TransportBinding binding)
    {
        ArgumentNullException.ThrowIfNull(binding);
        var bound = binding switch
        {
            SqsBinding own => own,
            AtLeastOnceBinding any => new SqsBinding(any),
            _ => throw new PostriderException(PostriderError.Configuration, $"'{binding.Source}' is bound without a queue that keeps its messages, which transport '{Name}' requires: use an {nameof(SqsBinding)}."),
        };
        bound.Check(QueueType);
        return bound;
    }

    private sealed class Listening(AwsTransport transport, SqsListener listener) : IAsyncDisposable
    {
        public async ValueTask DisposeAsync()
        {
            await listener.DisposeAsync().ConfigureAwait(false);
            transport._listeners.TryRemove(listener, out _);
        }
    }
}
