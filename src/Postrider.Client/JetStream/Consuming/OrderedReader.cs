using System.Runtime.CompilerServices;
using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Models;
using Postrider.Serialization;

namespace Postrider.Client.JetStream.Consuming;

/// <summary>Reads a stream in order, with consumers that are used until a message is missed.</summary>
/// <remarks>
/// After a gap, missed heartbeats, a lost connection or a deleted consumer, another consumer starts after the last message.
/// One reader at a time. Source: NATS ADR-17.
/// </remarks>
internal sealed class OrderedReader<T> : IAsyncEnumerator<JetStreamMessage<T>>
{
    private static readonly TimeSpan MinDelay = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan MaxDelay = TimeSpan.FromSeconds(2);

    // How long pulls wait; the heartbeat must fit in twice.
    private static readonly TimeSpan Expires = TimeSpan.FromSeconds(30);

    // Messages that existed at the start and do not arrive may have been deleted: after this time the server is asked.
    private static readonly TimeSpan DoubtAfter = TimeSpan.FromSeconds(1);

    private readonly ApiClient _api;
    private readonly string _stream;
    private readonly OrderedConsumerOptions _options;
    private readonly Serializer<T> _serializer;
    private readonly CancellationToken _ct;
    private readonly CancellationTokenSource? _linked;
    private readonly string _namePrefix;
    private ConsumerSubscription<T>? _subscription;
    private string? _consumer;
    private int _serial;
    private ulong _last;
    private JetStreamMessage<T> _current;
    private bool _knowsStart;
    private bool _isInitial;
    private ulong _initialRead;
    private ulong _given;
    private Task<bool>? _waiting;

    public OrderedReader(
        ApiClient api, string stream, OrderedConsumerOptions options, Serializer<T> serializer, CancellationToken ct, CancellationTokenSource? linked = null)
    {
        _api = api;
        _stream = stream;
        _options = options;
        _serializer = serializer;
        _ct = ct;
        _linked = linked;
        _namePrefix = options.NamePrefix ?? api.Session.Nuid.Next();
    }

    public JetStreamMessage<T> Current => _current;

    /// <summary>The number of pending messages when the first consumer was created.</summary>
    public ulong PendingAtStart { get; private set; }

    // "Last per subject" cannot continue at a position: until all of them were delivered, another consumer starts with the first.
    private bool BeginsAgain => _isInitial && _options.DeliverPolicy == DeliverPolicy.LastPerSubject;

    public ValueTask<bool> MoveNextAsync()
    {
        if (_subscription is null || _waiting is not null || _ct.IsCancellationRequested || !_subscription.TryRead(out _current)) return WaitAsync();
        _last = _current.Sequence;
        return new ValueTask<bool>(true);
    }

    /// <summary>Moves to the next of the messages that existed when the first consumer was created.</summary>
    /// <returns>False when all were read, or the rest was deleted or expired in the meantime; <see cref="MoveNextAsync"/> continues then.</returns>
    public async ValueTask<bool> MoveNextInitialAsync()
    {
        await OpenAsync().ConfigureAwait(false);
        _isInitial = true;
        while (_initialRead < PendingAtStart && (_initialRead == 0 || _current.Metadata.Pending > 0))
        {
            var next = MoveNextAsync();
            if (!(next.IsCompleted ? await next.ConfigureAwait(false) : await AwaitInitialAsync(next.AsTask()).ConfigureAwait(false))) break;
            _initialRead++;
            // The message was delivered before the consumer was recreated.
            if (_current.Sequence <= _given) continue;
            _given = _current.Sequence;
            return true;
        }
        _isInitial = false;
        _last = Math.Max(_last, _given);
        return false;
    }

    /// <summary>Creates the first consumer, if there is none yet.</summary>
    /// <exception cref="NatsClientException">It could not be created: there is no such stream, or no JetStream.</exception>
    public async ValueTask OpenAsync()
    {
        if (_serial == 0) await BeginAsync().ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        await EndAsync().ConfigureAwait(false);
        _linked?.Dispose();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> WaitAsync()
    {
        if (_waiting is { } waiting)
        {
            _waiting = null;
            return await waiting.ConfigureAwait(false);
        }
        while (true)
        {
            _ct.ThrowIfCancellationRequested();
            if (_subscription is null) await OpenOrHealAsync().ConfigureAwait(false);
            try
            {
                if (!await _subscription!.MoveNextAsync(_ct).ConfigureAwait(false) || !_subscription.TryRead(out _current)) return false;
                _last = _current.Sequence;
                return true;
            }
            catch (SequenceGapException)
            {
                await EndAsync().ConfigureAwait(false);
            }
        }
    }

    private async ValueTask<bool> AwaitInitialAsync(Task<bool> next)
    {
        while (true)
        {
            try
            {
                return await next.WaitAsync(DoubtAfter, _api.Session.Options.TimeProvider).ConfigureAwait(false);
            }
            catch (TimeoutException) when (!next.IsCompleted)
            {
                if (!await IsNothingLeftAsync().ConfigureAwait(false) || next.IsCompleted) continue;
                _waiting = next;
                return false;
            }
        }
    }

    // No message was read in the meantime: everything received was read.
    private async ValueTask<bool> IsNothingLeftAsync()
    {
        if ((_consumer, _subscription) is not ({ } consumer, { } subscription)) return false;
        try
        {
            var info = await ConsumerApi.GetAsync(_api, _stream, consumer, _ct).ConfigureAwait(false);
            return consumer == _consumer && info.PendingCount == 0 && info.Delivered.ConsumerSequence <= subscription.Received;
        }
        catch (NatsClientException)
        {
            // No reply, or the consumer is gone: the reader will create another one.
            return false;
        }
    }

    private async ValueTask OpenOrHealAsync()
    {
        if (_serial == 0)
        {
            await BeginAsync().ConfigureAwait(false);
            return;
        }
        for (var delay = MinDelay; ; delay = delay * 2 < MaxDelay ? delay * 2 : MaxDelay)
        {
            try
            {
                await BeginAsync().ConfigureAwait(false);
                return;
            }
            catch (NatsClientException error) when (MayPass(error))
            {
                await EndAsync().ConfigureAwait(false);
                await Task.Delay(delay, _api.Session.Options.TimeProvider, _ct).ConfigureAwait(false);
            }
        }
    }

    private static bool MayPass(NatsClientException error)
        => error is JetStreamException { ApiCode: >= 500 }
            || error.Code is NatsErrorCode.RequestTimeout or NatsErrorCode.JetStreamUnavailable or NatsErrorCode.ConnectionLost or NatsErrorCode.ReconnectBufferFull;

    private async ValueTask BeginAsync()
    {
        var name = $"{_namePrefix}_{++_serial}";
        var config = Config(name);
        ConsumerInfo info;
        if (_options.UsesPush)
        {
            config.DeliverSubject = _api.Session.NewInbox();
            config.FlowControl = true;
            config.IdleHeartbeat = _options.Heartbeat;
            _subscription = new PushConsumerSubscription<T>(_api, _stream, name, config.DeliverSubject, null, _options.Heartbeat, _serializer, isOrdered: true);
            _subscription.Start();
            info = await ConsumerApi.CreateAsync(_api, _stream, config, ConsumerApi.Create, _ct).ConfigureAwait(false);
        }
        else
        {
            info = await ConsumerApi.CreateAsync(_api, _stream, config, ConsumerApi.Create, _ct).ConfigureAwait(false);
            var settings = new ConsumeOptions { MaxMessages = _options.MaxMessages, Heartbeat = _options.Heartbeat, Expires = Expires }.Plan(_stream, name);
            _subscription = new PullConsumerSubscription<T>(_api, settings, _serializer, isOrdered: true);
            _subscription.Start();
        }
        _consumer = name;
        if (_serial > 1 && !BeginsAgain) return;
        // The server no longer counts what it has delivered in the meantime as pending.
        _initialRead = 0;
        PendingAtStart = info.PendingCount + info.Delivered.ConsumerSequence;
        // Reading continues from here, even if the first consumer is lost before a message arrives.
        if (_options.DeliverPolicy != DeliverPolicy.New || info.Delivered.ConsumerSequence > 0) return;
        _last = info.Delivered.StreamSequence;
        _knowsStart = true;
    }

    private ConsumerConfig Config(string name)
    {
        var resumes = (_last > 0 || _knowsStart) && !BeginsAgain;
        return new ConsumerConfig
        {
            Name = name,
            AckPolicy = AckPolicy.None,
            MaxDeliver = 1,
            MemoryStorage = true,
            Replicas = 1,
            DeliverPolicy = resumes ? DeliverPolicy.ByStartSequence : _options.DeliverPolicy,
            StartSequence = resumes ? _last + 1 : _options.StartSequence,
            StartTime = resumes ? null : _options.StartTime,
            ReplayPolicy = _options.ReplayPolicy,
            HeadersOnly = _options.HeadersOnly,
            FilterSubject = _options.FilterSubjects is [var only] ? only : null,
            FilterSubjects = _options.FilterSubjects is { Count: > 1 } ? _options.FilterSubjects : null,
            InactiveThreshold = _options.InactiveThreshold,
            Metadata = _options.Metadata,
        };
    }

    private async ValueTask EndAsync()
    {
        if (_subscription is not null) await _subscription.DisposeAsync().ConfigureAwait(false);
        if (_consumer is { } consumer) _ = DeleteAsync(consumer);
        _subscription = null;
        _consumer = null;
    }

    private async Task DeleteAsync(string consumer)
    {
        try
        {
            await ConsumerApi.DeleteAsync(_api, _stream, consumer, CancellationToken.None).ConfigureAwait(false);
        }
        catch (NatsClientException)
        {
            // It is deleted already, or the server deletes it after a while.
        }
    }
}
