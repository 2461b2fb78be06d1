using Grpc.Core;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Grpc;

/// <summary>A listener of an inbox: a limited number of messages is handled, a limited number waits.</summary>
internal sealed class GrpcListener : IAsyncDisposable
{
    private readonly GrpcInbox _inbox;
    private readonly TransportBinding _binding;
    private readonly EnvelopeReceiver _receiver;
    private readonly GrpcOptions _options;
    private readonly DeliveryProcessor? _processor;
    private readonly MessageSender? _store;
    private readonly IAsyncDisposable? _stored;
    private readonly SemaphoreSlim _permits;
    private readonly CancellationTokenSource _stopped = new();
    private int _waiting;
    private int _disposed; // 1: accepts no more messages; 2: no handling is running

    /// <summary>Creates a listener that handles messages.</summary>
    internal GrpcListener(GrpcInbox inbox, GrpcOptions options, TransportBinding binding, EnvelopeReceiver receiver, Func<AtLeastOnceBinding, CancellationToken, DeliveryProcessor> process)
    {
        (_inbox, _options, _binding, _receiver) = (inbox, options, binding, receiver);
        if (binding is AtLeastOnceBinding kept)
            _processor = process(kept, _stopped.Token);
        _permits = new(binding.MaxConcurrency);
    }

    /// <summary>Creates a listener that stores messages.</summary>
    /// <param name="inbox">The inbox.</param>
    /// <param name="options">The options.</param>
    /// <param name="binding">The binding.</param>
    /// <param name="store">Stores them.</param>
    /// <param name="stored">Listens to the stored ones.</param>
    internal GrpcListener(GrpcInbox inbox, GrpcOptions options, TransportBinding binding, MessageSender store, IAsyncDisposable stored)
    {
        (_inbox, _options, _binding, _store, _stored) = (inbox, options, binding, store, stored);
        _receiver = static (_, _) => default;
        _permits = new(binding.MaxConcurrency);
    }

    internal string Source => _binding.Source;

    /// <summary>Waits for a slot.</summary>
    /// <returns>OK with a slot, which the following call releases; otherwise the status for the sender.</returns>
    internal async ValueTask<GrpcOutcome> EnterAsync(CancellationToken ct)
    {
        if (!_permits.Wait(0, CancellationToken.None))
        {
            if (Interlocked.Increment(ref _waiting) > _options.Throughput.MaxWaiting)
            {
                Interlocked.Decrement(ref _waiting);
                return new(StatusCode.ResourceExhausted, $"{_options.Throughput.MaxWaiting} messages already wait at '{Source}', the limit of Throughput.MaxWaiting.", nameof(PostriderError.QueueFull));
            }

            try
            {
                await _permits.WaitAsync(ct).ConfigureAwait(false);
            }
            finally
            {
                Interlocked.Decrement(ref _waiting);
            }
        }

        if (Volatile.Read(ref _disposed) == 0)
            return new(StatusCode.OK);
        _permits.Release();
        return GrpcOutcome.NoListener(Source);
    }

    /// <summary>Handles or stores a message that has a slot.</summary>
    internal async Task<GrpcOutcome> HandleAsync(Message message, long attempt)
    {
        try
        {
            return _store is not null ? await StoreAsync(message).ConfigureAwait(false) : await HandleNowAsync(message, attempt).ConfigureAwait(false);
        }
        catch (ArgumentException wrong)
        {
            return new(StatusCode.InvalidArgument, wrong.Message, nameof(DeadLetterReason.Unreadable));
        }
        catch (OperationCanceledException) when (_stopped.IsCancellationRequested)
        {
            return GrpcOutcome.NoListener(Source);
        }
        finally
        {
            _permits.Release();
        }
    }

    /// <summary>Handles a request that has a slot; stores a command if the binding has a store.</summary>
    /// <returns>The response, empty for a command that is stored, or the reason why there is none.</returns>
    internal async Task<(Message? Answer, GrpcOutcome Outcome)> AnswerAsync(Message message)
    {
        try
        {
            if (_store is not null && !message.IsCommand)
                return (null, new(StatusCode.FailedPrecondition, $"Messages at '{Source}' are stored before they are handled: send a command or a notification there.", nameof(PostriderError.Configuration)));
            if (_store is not null)
                return await StoreAsync(message).ConfigureAwait(false) is { Code: not StatusCode.OK } refused ? (null, refused) : (new Message(), new(StatusCode.OK));
            var answer = await _receiver(EnvelopeOf(message, delivery: null), _stopped.Token).ConfigureAwait(false);
            return (answer is null ? new Message() : GrpcMessageMapping.ToMessage("", MessageProperties.From(answer.Headers), answer.Body), new(StatusCode.OK));
        }
        catch (ArgumentException wrong)
        {
            return (null, new(StatusCode.InvalidArgument, wrong.Message, nameof(DeadLetterReason.Unreadable)));
        }
        catch (OperationCanceledException) when (_stopped.IsCancellationRequested)
        {
            return (null, GrpcOutcome.NoListener(Source));
        }
        finally
        {
            _permits.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;

        _inbox.Remove(this);

        // Holding every permit means that no handling is running. They are returned: a caller that still waits for one is rejected.
        for (var i = 0; i < _binding.MaxConcurrency; i++)
            await _permits.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        Volatile.Write(ref _disposed, 2);
        _permits.Release(_binding.MaxConcurrency);
        await _stopped.CancelAsync().ConfigureAwait(false);
        _stopped.Dispose();
        if (_stored is not null)
            await _stored.DisposeAsync().ConfigureAwait(false);
    }

    private Envelope EnvelopeOf(Message message, GrpcDelivery? delivery) => new()
    {
        Destination = Source,
        ReplyTo = delivery is null ? "reply" : null,
        Headers = GrpcMessageMapping.ToHeaders(message),
        Body = message.Body.Memory,
        Delivery = delivery,
    };

    private async ValueTask<GrpcOutcome> HandleNowAsync(Message message, long attempt)
    {
        var delivery = new GrpcDelivery { Count = attempt, Store = GrpcTransport.TransportName };
        var envelope = EnvelopeOf(message, delivery);
        if (_processor is null)
        {
            await _receiver(envelope, _stopped.Token).ConfigureAwait(false);
            return delivery.Failure is not { } failure
                ? new(StatusCode.OK)
                : delivery.IsUnreadable
                    ? new(StatusCode.InvalidArgument, "The body is not a valid message.", nameof(DeadLetterReason.Unreadable))
                    : new(StatusCode.Internal, GrpcErrors.Describe(failure), failure is PostriderException known ? known.Error.ToString() : "Internal");
        }

        await _processor.HandleAsync(envelope).ConfigureAwait(false);
        return delivery.Settled switch
        {
            { Kind: SettlementKind.Done } => new(StatusCode.OK),
            { Kind: SettlementKind.Retry, Delay: var delay } => new(StatusCode.Unavailable, $"Attempt {attempt} failed: {Describe(delivery)}", "Retry") { RetryAfter = delay },
            { Kind: SettlementKind.DeadLetter, Reason: var reason } when _binding is AtLeastOnceBinding { DeadLetter: not null } => new(StatusCode.OK) { DeadLetter = reason },
            { Kind: SettlementKind.DeadLetter, Reason: var reason } => new(StatusCode.InvalidArgument, $"The message was dead-lettered after {attempt} attempts ({reason}): {Describe(delivery)}", reason.ToString()),
            _ => GrpcOutcome.NoListener(Source),
        };
    }

    private static string Describe(GrpcDelivery delivery)
        => delivery.IsUnreadable ? "The body is not a valid message." : delivery.Failure is { } failure ? GrpcErrors.Describe(failure) : "It was not handled.";

    private async ValueTask<GrpcOutcome> StoreAsync(Message message)
    {
        try
        {
            await _store!.SendAsync(GrpcMessageMapping.ToProperties(message), message.Body.Memory, _stopped.Token).ConfigureAwait(false);
            return new(StatusCode.OK) { IsStored = true };
        }
        catch (PostriderException refused) when (refused.Error is PostriderError.TooLarge or PostriderError.QueueFull)
        {
            return new(StatusCode.ResourceExhausted, refused.Message, refused.Error.ToString());
        }
        catch (Exception failure) when (failure is not ArgumentException && !(failure is OperationCanceledException && _stopped.IsCancellationRequested))
        {
            // The sender keeps the message, whatever the failure of the store.
            _inbox.LogNotStored(Source, _store!.Target.Destination, failure);
            return new(StatusCode.Unavailable, "The message could not be stored.", GrpcErrors.NotStored);
        }
    }
}
