using System.Text.Json;
using System.Text;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;
using Postrider.Storage.Records;
using Postrider.Wire.Frames;

namespace Postrider.Broker.JetStream.Sourcing;

/// <summary>Follows a stream of another account, domain or server, or one behind a durable consumer: through a consumer created by
/// the API of the origin's server, whose deliveries arrive over imports, leaf nodes or routes.</summary>
/// <remarks>
/// It keeps no state of its own: the target's messages tell the position. After a missing delivery, a silence, or a message that the target
/// rejects, it requests a new consumer that starts after the last stored message.
/// One thread at a time does the work; other threads leave theirs to it. No lock is held while a message is published.
/// Source: nats-server, mirrors and sources; NATS ADR-60 for durable consumers.
/// </remarks>
internal sealed class RemoteSource : ISourceFollower, IFlushCallback
{
    private const int MessagesAtOnce = 512;
    private const int BytesAtOnce = 1024 * 1024;
    private const int MaxTurns = 4;
    private const int MaxFails = 4;

    // Short, to notice soon that a connection is back: a check without interest sends nothing.
    private static readonly TimeSpan InterestInterval = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan RestartDelay = TimeSpan.FromMilliseconds(250);

    // The origin sends what follows once more for each attempt, until the target has room.
    private static readonly TimeSpan RefusedDelay = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan FirstBackoff = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(5);

    // The consumer sends a heartbeat each second.
    private static readonly TimeSpan MaxSilence = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan CheckInterval = TimeSpan.FromSeconds(1);

    private readonly MessageStream _target;
    private readonly StreamSource _source;
    private readonly SubjectTree<Subscription> _tree;
    private readonly List<SubjectTransform> _transforms = [];
    private readonly SourceBuffer _buffer = new();
    private readonly ITimer _timer;

    // Guards the members below; no other lock is taken while it is held.
    private readonly Lock _gate = new();
    private bool _isAwake;
    private bool _isRunning;
    private bool _isTimeUp;
    private bool _isStarted;
    private bool _isStopped;
    private SourceSubscription? _current;

    // Written by the thread that does the work; read by any.
    private ulong _last;
    private ulong _lag;
    private long _lastActive;
    private ApiError? _error;

    // Only used by the thread that does the work.
    private bool _isPlaced;
    private string _identity = "";
    private int _level = SourceRequest.IdentityLevel;
    private int _fails;

    /// <summary>Creates a follower that is not started.</summary>
    /// <param name="target">The stream that copies.</param>
    /// <param name="source">The source that it copies.</param>
    public RemoteSource(MessageStream target, StreamSource source)
    {
        (_target, _source, _tree) = (target, source, target.Services.Subscriptions);
        foreach (var transform in source.TransformList)
            if (SubjectTransform.Create(transform.Source, transform.Destination) is { } made) _transforms.Add(made);
        _timer = target.Services.Time.CreateTimer(static state => ((RemoteSource)state!).OnTime(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        Key = StreamConfigJson.KeyOf(source);
    }

    /// <inheritdoc/>
    public string Key { get; }

    /// <summary>The current time of the clock for timers.</summary>
    internal long Now => _target.Services.Time.GetTimestamp();

    private bool IsMirror => _target.Config.Mirror is not null;

    private bool IsFull => _buffer.Count >= MessagesAtOnce || _buffer.Bytes >= BytesAtOnce;

    /// <inheritdoc/>
    public StreamSourceInfo Info() => new()
    {
        Name = _source.Name,
        External = _source.External,
        Lag = Volatile.Read(ref _lag),
        Sequence = IsMirror ? 0 : Volatile.Read(ref _last),
        ActiveNanoseconds = Volatile.Read(ref _lastActive) is var active and not 0 ? Math.Max(_target.Services.Clock.Now - active, 0) : -1,
        Error = Volatile.Read(ref _error),
        FilterSubject = string.IsNullOrEmpty(_source.FilterSubject) ? null : _source.FilterSubject,
        SubjectTransforms = _source.TransformList.Count == 0 ? null : _source.TransformList,
    };

    /// <inheritdoc/>
    public void Start(SendBatch batch)
    {
        lock (_gate)
        {
            if (_isStarted || _isStopped) return;
            _isStarted = _isTimeUp = true;
        }
        Run(batch);
    }

    /// <inheritdoc/>
    public void Stop(bool isRemoved)
    {
        SourceSubscription? ended;
        lock (_gate)
        {
            if (_isStopped) return;
            _isStopped = true;
            ended = _current;
            _current = null;
        }
        _timer.Dispose();
        ended?.End();
        // A durable consumer belongs to the application. Others expire, but until then they keep messages in a work queue.
        if (isRemoved && _source.Consumer is null && ended?.Consumer is { } consumer) Delete([.. ended.Request.Deletion, .. Encoding.UTF8.GetBytes(consumer)]);
    }

    /// <inheritdoc/>
    public void OnFailed(Exception error)
    {
        Stop(isRemoved: false);
        _target.Fail(error);
    }

    /// <inheritdoc/>
    public void BeforeFlush(SendBatch batch)
    {
        try
        {
            Run(batch);
        }
        catch (Exception error)
        {
            OnFailed(error);
        }
    }

    /// <summary>Has received messages processed after the batch's other messages.</summary>
    internal void Wake(SendBatch batch)
    {
        lock (_gate)
        {
            if (_isAwake || _isRunning || _isStopped) return;
            _isAwake = true;
        }
        batch.BeforeFlush(this);
    }

    private void OnTime()
    {
        try
        {
            lock (_gate) _isTimeUp = true;
            _target.Services.Batches.Run(this, static (self, batch) => self.Run(batch));
        }
        catch (Exception error)
        {
            // An exception in a timer would end the process.
            OnFailed(error);
        }
    }

    private void Run(SendBatch batch)
    {
        for (var left = MaxTurns; TryTakeTurn(out var current, out var isTimeUp); left--)
        {
            try
            {
                if (current is not null) Read(current, batch);
                if (isTimeUp) Check(batch);
            }
            finally
            {
                lock (_gate) _isRunning = false;
            }
            if (left > 1) continue;
            // The thread has other connections to serve.
            batch.BeforeFlush(this);
            return;
        }
    }

    private bool TryTakeTurn(out SourceSubscription? current, out bool isTimeUp)
    {
        lock (_gate)
        {
            (current, isTimeUp, _isAwake) = (_current, _isTimeUp, false);
            // A message added after this check is seen by the next pass of the loop, or starts a new one.
            if (_isRunning || _isStopped || (!isTimeUp && current is not { HasWaiting: true })) return false;
            _isTimeUp = false;
            return _isRunning = true;
        }
    }

    private void Check(SendBatch batch)
    {
        if (_current is not { } current)
        {
            Ask(batch);
            return;
        }
        var limit = current.Consumer is null ? AnswerTimeout : MaxSilence;
        if (!current.IsOutdated && _target.Services.Time.GetElapsedTime(current.LastHeard) < limit)
        {
            Sleep(CheckInterval);
            return;
        }
        if (current.Consumer is null && !current.IsOutdated) Fail(SetupFailed("The origin's server did not respond in time."));
        else Restart();
    }

    private void Ask(SendBatch batch)
    {
        SourceRequest request;
        using (_target.Gate.Hold())
        {
            if (_target.IsClosed) return;
            if (!_isPlaced || IsMirror) Seek();
            request = SourceRequest.Create(_target, _source, _last > 0 ? SequenceMath.Add(_last, 1) : 0, _identity, _level);
        }
        if (!InternalPublisher.HasInterest(_tree, request.Subject, batch))
        {
            Volatile.Write(ref _error, SetupFailed("no responders available for request"));
            Sleep(InterestInterval);
            return;
        }
        var current = new SourceSubscription(this, _target.Account.Account, request);
        lock (_gate)
        {
            if (_isStopped) return;
            _current = current;
        }
        var replyTo = Encoding.UTF8.GetBytes(ShortHash.RandomSubject("$JSC.R"));
        current.AwaitAnswer(replyTo);
        Sleep(CheckInterval);
        InternalPublisher.Publish(_tree, request.Subject, request.Subject, replyTo, request.Headers, request.Payload, batch, BrokerRequester.Instance);
    }

    // Finds the position of the target. Its lock is held.
    private void Seek()
    {
        var next = SourcePosition.Find(_target, _source, IsMirror, out var identity);
        _isPlaced = true;
        if (next == 0) return;
        _identity = identity;
        Volatile.Write(ref _last, next - 1);
    }

    private void Read(SourceSubscription current, SendBatch batch)
    {
        var answers = current.TakeAnswers();
        for (var at = 0; current.Consumer is null && ReferenceEquals(_current, current) && answers.TryRead(ref at, out var answer);) Answered(current, in answer);
        if (!ReferenceEquals(_current, current) || current.Consumer is null) return;
        var deliveries = current.TakeDeliveries();
        if (deliveries.Count > 0) Volatile.Write(ref _lastActive, _target.Services.Clock.Now);
        if (!TryStoreAll(current, deliveries, batch)) return;
        if (current.IsOverrun) Restart();
    }

    private void Answered(SourceSubscription current, scoped in CrossAccountMessage answer)
    {
        if (answer.Headers.StartsWith("NATS/1.0 503"u8))
        {
            Fail(SetupFailed("no responders available for request"), InterestInterval);
            return;
        }
        ConsumerInfoReply? reply;
        try
        {
            reply = JsonSerializer.Deserialize(answer.Payload, ConsumerJson.Lenient.ConsumerInfoReply);
        }
        catch (Exception error) when (error is JsonException or UnknownEnumValueException)
        {
            // The description of a field that does not fit names a type of this program.
            var what = error is JsonException unfit ? GoJsonError.Describe(unfit) : error.Message;
            Fail(SetupFailed($"The response of the origin's server is invalid: {what}"));
            return;
        }
        if (reply?.Error is { } problem)
        {
            Refused(problem);
            return;
        }
        // Both become parts of subjects: of the request that deletes the consumer, and of a subscription.
        if (reply?.Config is not { } config || reply.Name is not { } name || !IsLiteral(name) || name.Contains('.', StringComparison.Ordinal)
            || (current.Request.DeliverSubject ?? config.DeliverSubject) is not { } deliverTo || !IsLiteral(deliverTo))
        {
            Fail(SetupFailed("invalid consumer create response"));
            return;
        }
        if (_source.Consumer is not null && config.AckPolicy != AckPolicy.FlowControl)
        {
            Fail(IsMirror ? ApiErrors.MirrorConsumerRequiresAckFC : ApiErrors.SourceConsumerRequiresAckFC);
            return;
        }
        Recognize(StreamIdentity.Read(answer.Headers));
        (_fails, current.Consumer, current.LastDelivery) = (0, reply.Name, 0);
        Volatile.Write(ref _error, null);
        current.AwaitDeliveries(Encoding.UTF8.GetBytes(deliverTo));
    }

    private static bool IsLiteral(string subject) => Subject.IsLiteral(Encoding.UTF8.GetBytes(subject));

    private void Refused(ApiError problem)
    {
        if (problem.ErrorCode == ApiErrors.ConsumerStreamIdentityMismatchF.ErrorCode)
        {
            Forget();
            Restart();
            return;
        }
        var isOlder = problem.ErrorCode == ApiErrors.RequiredApiLevel.ErrorCode || problem.ErrorCode == ApiErrors.InvalidJSON.ErrorCode;
        if (isOlder && _level > 0)
        {
            _level = _level > SourceRequest.SourcingLevel ? SourceRequest.SourcingLevel : 0;
            Restart();
            return;
        }
        Fail(problem);
    }

    private void Recognize(string identity)
    {
        if (IsMirror || identity.Length == 0) return;
        if (_identity.Length > 0 && _identity != identity) Forget();
        _identity = identity;
    }

    // The origin was deleted and created again: all its messages are new.
    private void Forget()
    {
        StreamLog.SourceWasRecreated(_target.Services.Logger, _source.Name, _target.Services.AccountName, _target.Name);
        _identity = "";
        Volatile.Write(ref _last, 0);
    }

    private bool TryStoreAll(SourceSubscription current, MessageBuffer deliveries, SendBatch batch)
    {
        _buffer.Clear();
        for (var at = 0; deliveries.TryRead(ref at, out var message);)
        {
            var isGood = SourceDelivery.IsControl(message.Headers, message.Payload)
                ? TryStore(batch) && TryControl(current, in message, batch)
                : TryTake(current, in message) && (!IsFull || TryStore(batch));
            if (isGood) continue;
            if (!_buffer.IsEmpty) TryStore(batch);
            if (ReferenceEquals(_current, current)) Restart();
            return false;
        }
        return TryStore(batch);
    }

    private bool TryTake(SourceSubscription current, scoped in CrossAccountMessage message)
    {
        if (!SourceDelivery.TryParse(message.ReplyTo, current.Consumer!, out var delivery) || delivery.Deliveries > 1) return true;
        if (delivery.Number != current.LastDelivery + 1) return delivery.Number <= current.LastDelivery;
        current.LastDelivery = delivery.Number;
        if (delivery.Sequence <= _last) return true;
        Volatile.Write(ref _last, delivery.Sequence);
        Volatile.Write(ref _lag, delivery.Pending > 0 ? delivery.Pending - 1 : 0);
        _buffer.Add(new StoredMessage(delivery.Sequence, delivery.Timestamp, timeToLiveSeconds: 0, message.Subject, message.Headers, message.Payload));
        return true;
    }

    private bool TryStore(SendBatch batch)
    {
        if (_buffer.IsEmpty) return true;
        var result = SourcedMessageWriter.WriteAll(_target, _source, _buffer, _transforms, _identity, batch);
        _buffer.Clear();
        Volatile.Write(ref _error, result.Problem);
        if (result.Refused == 0) return true;
        // The next consumer begins with it. This one has already sent later messages, which must be neither stored nor acknowledged before it.
        Volatile.Write(ref _last, result.Refused - 1);
        Drop(RefusedDelay);
        return false;
    }

    private bool TryControl(SourceSubscription current, scoped in CrossAccountMessage message, SendBatch batch)
    {
        if (message.ReplyTo.IsEmpty)
        {
            if (SourceDelivery.LastDelivery(message.Headers) is { } last && last != current.LastDelivery) return false;
            if (MessageHeaders.TryFind(message.Headers, "Nats-Consumer-Stalled"u8, out var stalled)) Publish(stalled, [], batch);
            return true;
        }
        // The acknowledgement lets a work queue remove the messages.
        if (!SourcedMessageWriter.TryMakeDurable(_target)) return false;
        Publish(message.ReplyTo, Encoding.ASCII.GetBytes($"NATS/1.0\r\nNats-Last-Consumer: {current.LastDelivery}\r\nNats-Last-Stream: {_last}\r\n\r\n"), batch);
        return true;
    }

    // Whoever can send to the deliver subject chooses this subject: it must not become a request that the broker makes for them.
    private void Publish(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, SendBatch batch)
    {
        if (!Subject.IsLiteral(subject)) return;
        var mayAsk = HandlerInvoker.IsFlowControl(subject) || subject.StartsWith("_R_."u8);
        InternalPublisher.Publish(_tree, subject, subject, [], headers, [], batch, mayAsk ? BrokerRequester.Instance : null);
    }

    private ApiError SetupFailed(string why) => (IsMirror ? ApiErrors.MirrorConsumerSetupFailed : ApiErrors.SourceConsumerSetupFailed).With("err", why);

    private void Fail(ApiError problem)
    {
        if (_fails == 0) StreamLog.SourceFailed(_target.Services.Logger, _source.Name, _target.Services.AccountName, _target.Name, problem.Description);
        var delay = FirstBackoff * (1 << _fails);
        _fails = Math.Min(_fails + 1, MaxFails);
        Fail(problem, delay);
    }

    private void Fail(ApiError problem, TimeSpan delay)
    {
        Volatile.Write(ref _error, problem);
        Drop(delay);
    }

    private void Restart() => Drop(RestartDelay);

    private void Drop(TimeSpan delay)
    {
        SourceSubscription? ended;
        lock (_gate)
        {
            ended = _current;
            _current = null;
        }
        ended?.End();
        Sleep(delay);
    }

    private void Sleep(TimeSpan delay)
    {
        lock (_gate)
        {
            if (!_isStopped) _timer.Change(delay, Timeout.InfiniteTimeSpan);
        }
    }

    private void Delete(byte[] subject) => ThreadPool.UnsafeQueueUserWorkItem(
        static state =>
        {
            var (self, subject) = state;
            try
            {
                self._target.Services.Batches.Run((self, subject), static (it, batch)
                    => InternalPublisher.Publish(it.self._tree, it.subject, it.subject, [], [], [], batch, BrokerRequester.Instance));
            }
            catch (Exception error)
            {
                StreamLog.RequestFailed(self._target.Services.Logger, Encoding.UTF8.GetString(subject), error);
            }
        },
        (self: this, subject),
        preferLocal: false);
}
