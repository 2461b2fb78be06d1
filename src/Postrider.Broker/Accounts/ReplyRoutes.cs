using System.Security.Cryptography;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Broker.Tracing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>The reply subjects that requests from another account have in the account that answers them.</summary>
/// <remarks>
/// Thread-safe. Each request gets its own subject, <c>_R_.</c> and two tokens of which the second has 80 random bits, so that only
/// a recipient of the request can answer. A route ends with the response, with the empty message that ends several responses, when the
/// requester unsubscribes, or a time after its last use. Their number and bytes are bounded: beyond that, the oldest of this import is dropped.
/// Source: nats-server, imports of services.
/// </remarks>
internal sealed class ReplyRoutes : CrossAccountForwarder
{
    /// <summary>Maximum number of requests of one import that wait for a response.</summary>
    public const int MaxRoutes = 128 * 1024;

    /// <summary>Maximum size of their reply subjects in bytes.</summary>
    public const int MaxBytes = 16 * 1024 * 1024;

    // When a client unsubscribes from a pattern, at most this many routes are examined; the others end when they expire.
    private const int MaxLookedAt = 1024;

    private const string Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private const int PrefixLength = 6;
    private const int TokenLength = 16;

    // Guards the tables, the order and the timer. Held together with SubjectTree's lock.
    private readonly Lock _gate = new();
    private readonly Dictionary<byte[], ReplyRoute> _bySubject = new(ByteKeyComparer.Instance);
    private readonly Dictionary<byte[], ReplyRoute> _byReply = new(ByteKeyComparer.Instance);
    private readonly ServiceImport _import;
    private readonly Account _answering;
    private readonly Account _requesting;
    private readonly TimeProvider _time;
    private readonly byte[] _prefix;
    private readonly CrossAccountSubscription _subscription;
    private readonly ForwardingChain _chain;
    private readonly byte[] _random = new byte[64 * TokenLength];
    private ReplyRoute? _oldest;
    private ReplyRoute? _newest;
    private ITimer? _timer;
    private int _randomUsed;
    private long _bytes;
    private bool _isClosed;

    /// <summary>Begins to receive responses.</summary>
    /// <param name="import">The import that the requests came through.</param>
    /// <param name="answering">The account in which the responses are published.</param>
    /// <param name="requesting">The account that they go to.</param>
    /// <param name="time">The clock.</param>
    public ReplyRoutes(ServiceImport import, Account answering, Account requesting, TimeProvider time)
    {
        (_import, _answering, _requesting, _time) = (import, answering, requesting, time);
        _chain = new ForwardingChain(import.Export, import.Options.Share, null, isResponse: true);
        _randomUsed = _random.Length;
        _prefix = [.. "_R_."u8, .. RandomToken(PrefixLength), (byte)'.'];
        _subscription = new CrossAccountSubscription(this, [.. _prefix, (byte)'>']);
        _answering.Subscriptions.Add(_subscription.SubjectBytes, [], _subscription);
        _requesting.AddReplyRoutes(this);
    }

    /// <summary>The number of requests that wait for a response.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _bySubject.Count;
        }
    }

    /// <summary>The account in which the responses are published.</summary>
    public Account Answering => _answering;

    private TimeSpan Threshold => _import.Export.ResponseThreshold;

    /// <summary>Creates a reply subject for a request.</summary>
    /// <param name="replyTo">The requester's reply subject; copied.</param>
    /// <param name="sample">Measures the response; null for none.</param>
    /// <returns>Null when the import has ended.</returns>
    public ReplyRoute? Add(ReadOnlySpan<byte> replyTo, LatencySample? sample = null) => Add(replyTo, sample, isOfTrace: false);

    /// <summary>Creates a subject for the traces of a request; it only ends by expiring.</summary>
    /// <param name="destination">Where the traces are sent in the requesting account; copied.</param>
    /// <returns>Null when the import has ended.</returns>
    public ReplyRoute? AddForTraces(ReadOnlySpan<byte> destination) => Add(destination, null, isOfTrace: true);

    private ReplyRoute? Add(ReadOnlySpan<byte> replyTo, LatencySample? sample, bool isOfTrace)
    {
        List<LatencySample>? failed = null;
        var route = Add(replyTo, sample, isOfTrace, ref failed);
        Fail(failed, LatencyOutcome.TimedOut);
        return route;
    }

    /// <summary>Removes the route of a request that had no recipient.</summary>
    /// <returns>False when the response came first.</returns>
    public bool Remove(ReplyRoute route)
    {
        lock (_gate)
        {
            if (!_bySubject.ContainsKey(route.Subject)) return false;
            RemoveLocked(route);
            return true;
        }
    }

    /// <summary>Removes the routes of requesters that have unsubscribed.</summary>
    /// <param name="subject">The subject that was unsubscribed from in the requesting account.</param>
    public void InterestLost(ReadOnlySpan<byte> subject)
    {
        List<LatencySample>? failed = null;
        lock (_gate)
        {
            if (_bySubject.Count == 0) return;
            if (!Subject.HasWildcard(subject))
            {
                if (_byReply.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(subject, out var first) && !IsHeard(first.ReplyTo)) DropAll(first, ref failed);
            }
            else if (_byReply.Count <= MaxLookedAt)
            {
                foreach (var first in _byReply.Values.ToArray())
                    if (Subject.Matches(first.ReplyTo, subject) && !IsHeard(first.ReplyTo)) DropAll(first, ref failed);
            }
        }
        Fail(failed, LatencyOutcome.InterestLost);
    }

    /// <summary>The pending requests, the oldest first.</summary>
    /// <param name="max">Maximum number of requests.</param>
    public IReadOnlyList<PendingReply> Read(int max)
    {
        var pending = new List<PendingReply>();
        lock (_gate)
        {
            for (var route = _oldest; route is not null && pending.Count < max; route = route.Newer)
                pending.Add(new PendingReply(Subject.ToText(route.Subject), Subject.ToText(route.ReplyTo), _requesting.Name, _import, route.Sample));
        }
        return pending;
    }

    /// <summary>Ends the import: waiting requests get no response any more.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            _bySubject.Clear();
            _byReply.Clear();
            (_oldest, _newest, _bytes) = (null, null, 0);
            _timer?.Dispose();
        }
        _requesting.RemoveReplyRoutes(this);
        _subscription.Leave(_answering.Subscriptions);
    }

    /// <inheritdoc/>
    public override bool TryForward(scoped in CrossAccountMessage message, IPublishingClient? publisher, ForwardingChain? chain, SendBatch batch)
    {
        // It counts as delivered in any case: the responder does not learn whether the requester still waits.
        if (!ForwardingChain.MayForward(chain, _import.Export)) return true;
        var isLast = _import.Export.ResponseType == ServiceResponseType.Singleton || message is { Headers.IsEmpty: true, Payload.IsEmpty: true };
        if (Take(message.Subject, isLast) is not { } route) return true;
        route.Sample?.Answered(publisher, batch);
        var replyTo = message.ReplyTo;
        // A response may itself be a request.
        ReplyRoute? question = null;
        if (ServiceImport.NeedsRoute(replyTo))
        {
            question = _import.RoutesBack(this).Add(replyTo);
            replyTo = question is null ? [] : question.Subject;
        }
        var subject = _requesting.MapImported(route.ReplyTo, batch.Random);
        var headers = message.Headers;
        if (message.Trace is { } trace)
        {
            // Traces of responses end here.
            trace.AddServiceImport(_requesting.Name, message.Subject, subject);
            if (trace.IsOnly) return true;
            headers = TraceRequest.Disable(headers);
        }
        var next = chain is null ? _chain : new ForwardingChain(_import.Export, _import.Options.Share, chain, isResponse: true);
        var reached = !subject.IsEmpty && CrossAccountPublisher.Publish(
            _requesting.Subscriptions, new CrossAccountMessage(subject, message.ShownSubject, replyTo, headers, message.Payload), publisher, next, batch);
        if (reached) return true;
        Remove(route);
        if (question is not null) _import.RoutesBack(this).Remove(question);
        return true;
    }

    /// <inheritdoc/>
    public override bool TakesRouted => true;

    /// <inheritdoc/>
    public override bool HasInterest(ReadOnlySpan<byte> subject)
    {
        byte[] replyTo;
        lock (_gate)
        {
            if (!_bySubject.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(subject, out var route)) return false;
            replyTo = route.ReplyTo;
        }
        return _requesting.HasInterest(replyTo);
    }

    private ReplyRoute? Add(ReadOnlySpan<byte> replyTo, LatencySample? sample, bool isOfTrace, ref List<LatencySample>? failed)
    {
        lock (_gate)
        {
            if (_isClosed) return null;
            byte[] subject;
            do subject = [.. _prefix, .. RandomToken(TokenLength)];
            while (_bySubject.ContainsKey(subject));
            var route = new ReplyRoute(subject, replyTo.ToArray()) { TouchedAt = _time.GetTimestamp(), Sample = sample, IsOfTrace = isOfTrace };
            _bySubject.Add(subject, route);
            if (_byReply.TryGetValue(route.ReplyTo, out var first))
            {
                // Insert after the first one, which stays the key's entry.
                route.PreviousOfReply = first;
                route.NextOfReply = first.NextOfReply;
                if (first.NextOfReply is { } next) next.PreviousOfReply = route;
                first.NextOfReply = route;
            }
            else
            {
                _byReply.Add(route.ReplyTo, route);
            }
            Append(route);
            _bytes += route.ReplyTo.Length;
            while (_bySubject.Count > MaxRoutes || _bytes > MaxBytes) Note(RemoveLocked(_oldest!), ref failed);
            if (_timer is null) _timer = _time.CreateTimer(static routes => ((ReplyRoutes)routes!).DropExpired(), this, Threshold, Timeout.InfiniteTimeSpan);
            else if (_bySubject.Count == 1) _timer.Change(Threshold, Timeout.InfiniteTimeSpan);
            return route;
        }
    }

    private ReplyRoute? Take(ReadOnlySpan<byte> subject, bool isLast)
    {
        lock (_gate)
        {
            if (!_bySubject.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(subject, out var route)) return null;
            if (isLast && !route.IsOfTrace) return RemoveLocked(route);
            route.TouchedAt = _time.GetTimestamp();
            Detach(route);
            Append(route);
            return route;
        }
    }

    private void DropExpired()
    {
        List<LatencySample>? failed = null;
        lock (_gate)
        {
            if (_isClosed) return;
            while (_oldest is { } oldest && _time.GetElapsedTime(oldest.TouchedAt) >= Threshold) Note(RemoveLocked(oldest), ref failed);
            if (_oldest is { } next)
            {
                var left = Threshold - _time.GetElapsedTime(next.TouchedAt);
                _timer!.Change(left > TimeSpan.FromMilliseconds(1) ? left : TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan);
            }
        }
        Fail(failed, LatencyOutcome.TimedOut);
    }

    private static void Note(ReplyRoute dropped, ref List<LatencySample>? failed)
    {
        if (dropped.Sample is { } sample) (failed ??= []).Add(sample);
    }

    // Call without a lock: the measurements are published.
    private static void Fail(List<LatencySample>? failed, LatencyOutcome outcome)
    {
        if (failed is null) return;
        foreach (var sample in failed) sample.Failed(outcome);
    }

    private bool IsHeard(byte[] replyTo) => !_requesting.Subscriptions.Match(replyTo).IsEmpty;

    private void DropAll(ReplyRoute first, ref List<LatencySample>? failed)
    {
        for (ReplyRoute? route = first; route is not null;)
        {
            var next = route.NextOfReply;
            Note(RemoveLocked(route), ref failed);
            route = next;
        }
    }

    private ReplyRoute RemoveLocked(ReplyRoute route)
    {
        _bySubject.Remove(route.Subject);
        _bytes -= route.ReplyTo.Length;
        Detach(route);
        if (route.NextOfReply is { } next) next.PreviousOfReply = route.PreviousOfReply;
        if (route.PreviousOfReply is { } previous) previous.NextOfReply = route.NextOfReply;
        else if (route.NextOfReply is { } heir) _byReply[route.ReplyTo] = heir;
        else _byReply.Remove(route.ReplyTo);
        return route;
    }

    private void Append(ReplyRoute route)
    {
        (route.Older, route.Newer) = (_newest, null);
        if (_newest is { } newest) newest.Newer = route;
        else _oldest = route;
        _newest = route;
    }

    private void Detach(ReplyRoute route)
    {
        if (route.Older is { } older) older.Newer = route.Newer;
        else _oldest = route.Newer;
        if (route.Newer is { } newer) newer.Older = route.Older;
        else _newest = route.Older;
    }

    // Random bytes are fetched in large pieces: a library call for each token would take most of a request's time.
    private byte[] RandomToken(int length)
    {
        if (_randomUsed + length > _random.Length)
        {
            RandomNumberGenerator.Fill(_random);
            _randomUsed = 0;
        }
        var token = new byte[length];
        for (var i = 0; i < length; i++) token[i] = (byte)Alphabet[_random[_randomUsed++] & 31];
        return token;
    }
}
