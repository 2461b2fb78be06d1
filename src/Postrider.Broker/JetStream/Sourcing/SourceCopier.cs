using System.Text;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;
using Postrider.Storage;

namespace Postrider.Broker.JetStream.Sourcing;

/// <summary>Copies messages between streams of the account: unchanged for a mirror, with a header about their origin for a source.</summary>
/// <remarks>
/// It follows its origin like a consumer, but keeps no state of its own: the target's messages tell the position.
/// One thread at a time copies; concurrent callers leave the work to it. The two streams' locks are never held together.
/// When the target has no room for a message, the copier stops at that message and tries again later.
/// </remarks>
internal sealed class SourceCopier : ISourceFollower, IStreamConsumer, IFlushCallback
{
    // What is copied under one hold of the origin's lock.
    private const int MessagesAtOnce = 256;
    private const int BytesAtOnce = 1024 * 1024;

    // The delay before a target that rejected a message is tried again: short enough to fill a work queue that is emptied in small
    // parts, long enough to cost nothing while it stays full.
    private static readonly TimeSpan RetryDelay = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan MissingDelay = TimeSpan.FromSeconds(2);

    private readonly MessageStream _target;
    private readonly StreamSource _source;
    private readonly SubjectFilter _filter;
    private readonly List<SubjectTransform> _transforms = [];
    private readonly SourceBuffer _buffer = new();
    private readonly ITimer _retry;

    // Guards the members below; no other lock is taken while it is held.
    private readonly Lock _turn = new();
    private MessageStream? _origin;
    private bool _isCopying;
    private bool _isResting;
    private bool _isStopped;

    // Whether the position in the origin is still to be found; written by the copying thread, and read by any.
    private bool _isNew;

    // Only written by the copying thread.
    private ulong _next;
    private ulong _lastSequence;
    private ulong _lag;
    private long _lastActive;
    private string _identity = "";
    private ApiError? _error;

    // When there was no origin for the first time.
    private long _missingSince;

    public SourceCopier(MessageStream target, StreamSource source)
    {
        _target = target;
        _source = source;
        var transforms = source.TransformList;
        _filter = transforms.Count > 0
            ? new SubjectFilter([.. transforms.Select(static transform => transform.Source)])
            : new SubjectFilter(source.FilterSubject ?? "");
        foreach (var transform in transforms)
            if (SubjectTransform.Create(transform.Source, transform.Destination) is { } made) _transforms.Add(made);
        _retry = target.Services.Time.CreateTimer(static state => ((SourceCopier)state!).Retry(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _missingSince = target.Services.Clock.Now;
        Key = StreamConfigJson.KeyOf(source);
        Name = $"{(IsMirror ? "mirror" : "source")} of {target.Name}: {source.IndexName}";
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public bool IsInternal => true;

    // nats-server tells it after its first attempt, and not in the response to the request that creates the stream.
    private bool IsMissing => Volatile.Read(ref _origin) is null && _target.Services.Clock.Now - Volatile.Read(ref _missingSince) >= Clock.Of(MissingDelay);

    private bool IsMirror => _target.Config.Mirror is not null;

    /// <inheritdoc/>
    public string Key { get; }

    /// <inheritdoc/>
    public StreamSourceInfo Info() => new()
    {
        Name = _source.Name,
        External = _source.External,
        Lag = Volatile.Read(ref _lag),
        Sequence = IsMirror ? 0 : Volatile.Read(ref _lastSequence),
        ActiveNanoseconds = Volatile.Read(ref _lastActive) is var active and not 0 ? Math.Max(_target.Services.Clock.Now - active, 0) : -1,
        Error = _error ?? (IsMissing ? ApiErrors.StreamNotFound : null),
        FilterSubject = string.IsNullOrEmpty(_source.FilterSubject) ? null : _source.FilterSubject,
        SubjectTransforms = _source.TransformList.Count == 0 ? null : _source.TransformList,
    };

    /// <inheritdoc/>
    public void Start(SendBatch batch)
    {
        if (!_target.Account.TryGetStream(_source.Name, out var origin) || ReferenceEquals(origin, _target)) return;
        lock (_turn)
        {
            if (_isStopped || ReferenceEquals(_origin, origin)) return;
            _origin = origin;
            Volatile.Write(ref _isNew, true);
        }
        using (origin.Gate.Hold())
        {
            if (origin.IsClosed) return;
            origin.AttachLocked(this);
        }
        Copy(batch);
    }

    /// <inheritdoc/>
    public void Stop(bool isRemoved)
    {
        MessageStream? origin;
        lock (_turn)
        {
            _isStopped = true;
            origin = _origin;
            _origin = null;
        }
        _retry.Dispose();
        if (origin is null) return;
        using (origin.Gate.Hold()) origin.DetachLocked(this);
    }

    /// <inheritdoc/>
    public bool Fits(ConsumerLimits limits) => true;

    /// <inheritdoc/>
    public bool HasInterest(ReadOnlySpan<byte> subject) => _filter.Matches(subject);

    /// <inheritdoc/>
    public bool NeedsAck(ulong sequence, ReadOnlySpan<byte> subject) => (Volatile.Read(ref _isNew) || sequence >= Volatile.Read(ref _next)) && _filter.Matches(subject);

    /// <inheritdoc/>
    public void OnRemoved(ulong sequence, ReadOnlySpan<byte> subject)
    {
        // Removed messages are not copied: a mirror skips the sequence when the next message arrives.
    }

    /// <inheritdoc/>
    public void OnRemovalsCommitted()
    {
        // As above.
    }

    /// <inheritdoc/>
    public void OnRemovalsRolledBack()
    {
        // As above.
    }

    /// <inheritdoc/>
    public void OnPurged(ulong firstSequence)
    {
        // As above.
    }

    /// <inheritdoc/>
    public void OnStored(ulong first, ulong last, SendBatch batch) => Copy(batch);

    /// <inheritdoc/>
    public void OnStreamUpdated(StreamConfig config, SendBatch batch)
    {
        // Copies do not depend on the origin's configuration.
    }

    /// <inheritdoc/>
    public void OnStreamClosed(bool deleted, SendBatch batch)
    {
        lock (_turn) _origin = null;
        Volatile.Write(ref _missingSince, _target.Services.Clock.Now);
    }

    /// <inheritdoc/>
    public void BeforeFlush(SendBatch batch)
    {
        try
        {
            Copy(batch);
        }
        catch (Exception error)
        {
            OnFailed(error);
        }
    }

    /// <inheritdoc/>
    public void OnFailed(Exception error)
    {
        Stop(isRemoved: false);
        _target.Fail(error);
    }

    private void Copy(SendBatch batch)
    {
        while (TryTakeTurn(out var origin))
        {
            var (more, isRefused) = (true, false);
            try
            {
                if (Volatile.Read(ref _isNew)) Seek(origin);
                var step = WorkStep.Begin();
                do
                {
                    more = Read(origin);
                    isRefused = !_buffer.IsEmpty && !TryWrite(origin, batch);
                }
                while (more && !isRefused && !step.IsOver);
                if (more && !isRefused) CountLag(origin);
            }
            finally
            {
                lock (_turn)
                {
                    _isCopying = false;
                    _isResting = isRefused;
                }
            }
            if (isRefused) _retry.Change(RetryDelay, Timeout.InfiniteTimeSpan);
            if (!more || isRefused) continue;
            // The thread serves other connections, and a request that created this stream waits for its response.
            batch.BeforeFlush(this);
            return;
        }
    }

    private void Retry()
    {
        try
        {
            lock (_turn) _isResting = false;
            _target.Services.Batches.Run(this, static (self, batch) => self.Copy(batch));
        }
        catch (Exception error)
        {
            // An exception in a timer would end the process.
            OnFailed(error);
        }
    }

    // The position at which copying continues. All messages of a recreated origin are new; one whose identity is not known is shorter.
    private void Seek(MessageStream origin)
    {
        ulong next;
        string known;
        _identity = IsMirror ? "" : StreamIdentity.Of(origin);
        using (_target.Gate.Hold()) next = SourcePosition.Find(_target, _source, IsMirror, out known);
        if (!IsMirror && known.Length > 0 && known != _identity)
        {
            StreamLog.SourceWasRecreated(_target.Services.Logger, _source.Name, _target.Services.AccountName, _target.Name);
            next = 0;
        }
        using (origin.Gate.Hold())
        {
            if (next == 0) next = SourcePosition.Begin(origin, _source);
            else if (!IsMirror && next > origin.Store.LastSequence + 1) next = origin.Store.LastSequence + 1;
            Volatile.Write(ref _next, next);
        }
        lock (_turn)
        {
            if (ReferenceEquals(origin, _origin)) Volatile.Write(ref _isNew, false);
        }
    }

    private bool TryTakeTurn(out MessageStream origin)
    {
        lock (_turn)
        {
            origin = _origin!;
            if (_isCopying || _isResting || _isStopped || _origin is null) return false;
            // A publisher that stored after this was read either finds no copying thread, or this loop runs again.
            if (!_isNew && origin.VisibleSequence < _next) return false;
            _isCopying = true;
            return true;
        }
    }

    private bool Read(MessageStream origin)
    {
        _buffer.Clear();
        using (origin.Gate.Hold())
        {
            if (origin.IsClosed) return false;
            var at = _next;
            var store = origin.Store;
            while (_buffer.Count < MessagesAtOnce && _buffer.Bytes < BytesAtOnce)
            {
                if (!store.Queries.TryFindNext(_filter, at, out var found) || found > origin.VisibleSequence)
                {
                    at = Math.Max(at, origin.VisibleSequence + 1);
                    Volatile.Write(ref _next, at);
                    Volatile.Write(ref _lag, 0);
                    return false;
                }
                at = found + 1;
                if (store.TryRead(found, out var message) == StoreStatus.Ok) _buffer.Add(in message);
            }
            Volatile.Write(ref _next, at);
            return true;
        }
    }

    private void CountLag(MessageStream origin)
    {
        using (origin.Gate.Hold()) Volatile.Write(ref _lag, origin.IsClosed ? 0 : (ulong)origin.Store.Queries.CountFrom(_filter, _next));
    }

    /// <returns>False when the target rejected a message: the copier continues with it later.</returns>
    private bool TryWrite(MessageStream origin, SendBatch batch)
    {
        var first = _buffer.FirstSequence;
        var (last, refused, problem) = SourcedMessageWriter.WriteAll(_target, _source, _buffer, _transforms, _identity, batch);
        _error = problem;
        if (last > 0) Volatile.Write(ref _lastSequence, last);
        if (refused > 0) Volatile.Write(ref _next, refused);
        Volatile.Write(ref _lastActive, _target.Services.Clock.Now);
        if (refused != first) ReleaseCopied(origin, first);
        if (refused == 0) return true;
        CountLag(origin);
        return false;
    }

    private void ReleaseCopied(MessageStream origin, ulong first)
    {
        if (!origin.RetainsByInterest) return;
        // A work queue's message is moved: it is removed once the copy is as durable as the target's store makes it.
        if (!SourcedMessageWriter.TryMakeDurable(_target)) return;
        using (origin.Gate.Hold())
        {
            origin.OnAcknowledgedUpToLocked(this, first, _lastSequence);
            origin.CommitRemovalsLocked();
        }
    }
}
