// Hot path: Consumer -> this -> WaitQueue, per delivery. Allocations: none but for the texts of groups and pins.
using System.Text;
using Postrider.Broker.JetStream.Consumers.Pulling;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Text;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>The pull requests of a consumer: accepts them, chooses the next one to serve, and ends them.</summary>
/// <remarks>Guarded by the stream's lock. Times in nanoseconds since 1970. Source: nats-server, pull
/// consumers, whose order and texts clients see.</remarks>
internal sealed class PullRequestQueue(Consumer owner, int capacity)
{
    private const int MaxPriority = 9;
    private const long MinEvictPause = 1_000_000_000;

    private readonly WaitQueue _queue = new(capacity);
    private readonly byte[] _status = new byte[StatusHeaders.MaxBytes];
    private string _pinnedGroup = "";
    private int _noWaitCount;
    private long _nextEvictAt;

    /// <summary>The number of waiting requests.</summary>
    public int Count => _queue.Count;

    /// <summary>When a request last arrived, ended or was served.</summary>
    public long LastActive { get; set; }

    /// <summary>When <see cref="ExpireRequests"/> has to be called at the latest.</summary>
    public long WakeAt { get; private set; } = long.MaxValue;

    /// <summary>The id of the client that holds the pin of a pinned group, or null.</summary>
    public string? PinId { get; private set; }

    /// <summary>When the pin was assigned.</summary>
    public long PinnedSince { get; private set; }

    /// <summary>When the pin ends.</summary>
    public long PinEndsAt { get; private set; } = long.MaxValue;

    private Consumer Owner => owner;

    private ConsumerConfig Config => owner.Config;

    /// <summary>Adds a request.</summary>
    /// <returns>False when the request ended at once; the response has been sent.</returns>
    public bool Enqueue(ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> payload, long now)
    {
        if (PullRequest.Read(payload, out var request) is { } problem) return Reject(replyTo, $"400 Bad Request - {problem}");
        if (FirstProblem(in request) is { } refused) return Reject(replyTo, refused);
        if (request.IsObject && Config.PriorityPolicy != PriorityPolicy.None && PinId is not null)
        {
            if (request.PinId == PinId) PinEndsAt = Clock.Add(now, Clock.Of(Config.PinnedTimeout));
            else if (request.PinId is not null) return Reject(replyTo, "423 Nats-Pin-Id mismatch");
        }
        if (_queue.IsFull) EvictExpired(now);
        if (request.NoWait && !CanServeNoWait(replyTo, in request, now)) return false;
        if (_queue.IsFull)
        {
            // With a heartbeat the client finds out by itself; an immediate reply would make it ask again at once.
            if (request.Heartbeat == 0) Reject(replyTo, StatusHeaders.MaxWaiting);
            return false;
        }
        Add(replyTo, in request, now);
        return true;
    }

    /// <summary>The request that receives the next message.</summary>
    /// <param name="bytes">The message's size.</param>
    /// <param name="now">The current time.</param>
    /// <param name="batch">The batch for the status of requests that end.</param>
    /// <returns>Null when no request can receive it.</returns>
    public WaitingRequest? NextRecipient(int bytes, long now, SendBatch batch)
    {
        var skipped = 0;
        while (_queue.First is { } pull)
        {
            ref var request = ref pull.Request;
            if (pull.ExpiresAt != 0 && now >= pull.ExpiresAt)
            {
                LastActive = Math.Max(LastActive, pull.ExpiresAt);
                EndFirst(StatusHeaders.RequestTimeout, batch);
                continue;
            }
            var isNewPin = false;
            if (Config.PriorityPolicy == PriorityPolicy.PinnedClient)
            {
                if (request.PinId is not null && request.PinId != PinId)
                {
                    EndFirst(StatusHeaders.WrongPin, batch);
                    continue;
                }
                if (PinId is null)
                {
                    isNewPin = true;
                    Pin(pull, now);
                }
                else if (request.PinId is null)
                {
                    if (!SkipFirst(ref skipped)) return null;
                    continue;
                }
            }
            if (Config.PriorityPolicy == PriorityPolicy.Overflow && !Overflows(in request))
            {
                if (!SkipFirst(ref skipped)) return null;
                continue;
            }
            if (request.MaxBytes > 0 && bytes > request.MaxBytes)
            {
                EndFirst(StatusHeaders.MessageTooLarge, batch);
                if (isNewPin) ClearPin();
                continue;
            }
            if (!pull.Target.HasInterest(owner.Tree))
            {
                if (isNewPin) ClearPin();
                RemoveFirst();
                continue;
            }
            if (request.MaxBytes > 0)
            {
                request.MaxBytes -= bytes;
                if (request.MaxBytes == 0) request.Batch = 1;
            }
            return pull;
        }
        return null;
    }

    /// <summary>Records that the first request received its message.</summary>
    public void OnDelivered(WaitingRequest pull, long now, SendBatch batch)
    {
        LastActive = now;
        ref var request = ref pull.Request;
        pull.Delivered++;
        request.Batch--;
        if (request.Batch > 0)
        {
            if (request.Heartbeat > 0) pull.HeartbeatAt = Clock.Add(now, request.Heartbeat);
            _queue.Rotate(Config.PriorityPolicy == PriorityPolicy.Prioritized);
            return;
        }
        if (request.MaxBytes > 0) SendStatus(pull, StatusHeaders.Write(_status, StatusHeaders.BatchCompleted, request.Batch, request.MaxBytes), batch);
        RemoveFirst();
    }

    /// <summary>Ends requests that have expired and sends heartbeats to the others.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="endOfStream">Whether all messages were delivered.</param>
    /// <param name="batch">The batch for the status messages; null uses the consumer's queue.</param>
    public void ExpireRequests(long now, bool endOfStream, SendBatch? batch)
    {
        if (now < WakeAt && !(endOfStream && _noWaitCount > 0)) return;
        WakeAt = long.MaxValue;
        _queue.RemoveWhere((Requests: this, now, endOfStream, batch), static (state, pull) =>
        {
            var ends = state.Requests.Ends(pull, state.now, state.endOfStream, state.batch);
            if (ends && pull.Request.NoWait) state.Requests._noWaitCount--;
            return ends;
        });
    }

    /// <summary>Removes requests whose client is gone.</summary>
    public void RemoveAbandoned() => _queue.RemoveWhere(this, static (requests, pull) =>
    {
        if (pull.Target.HasInterest(requests.Owner.Tree)) return false;
        if (pull.Request.NoWait) requests._noWaitCount--;
        return true;
    });

    /// <summary>Ends every request because the consumer ends.</summary>
    /// <param name="status">The status to send.</param>
    /// <param name="withRest">Whether to include what each request did not receive.</param>
    public void EndAll(ReadOnlySpan<byte> status, bool withRest = false)
    {
        while (_queue.First is { } pull)
        {
            var length = withRest
                ? StatusHeaders.Write(_status, status, pull.Request.Batch, pull.Request.MaxBytes)
                : StatusHeaders.Write(_status, status);
            owner.Queue.Add(pull.Target.Subject, _status.AsSpan(0, length), []);
            RemoveFirst();
        }
    }

    /// <summary>Applies the settings that can change: without the policy for it, no client is pinned.</summary>
    public void Apply(ConsumerConfig config)
    {
        if (config.PriorityPolicy != PriorityPolicy.PinnedClient) ClearPin();
    }

    /// <summary>Removes the pin.</summary>
    public void Unpin(string group, string reason)
    {
        ClearPin();
        owner.Advisories.Unpinned(group, reason);
    }

    /// <summary>Ends a pin that was not used for too long.</summary>
    public bool ExpirePin(long now)
    {
        if (PinId is null || now < PinEndsAt) return false;
        Unpin(_pinnedGroup, "timeout");
        return true;
    }

    /// <summary>The outbox with the most pending bytes of the request that is served next.</summary>
    public Outbox? Fullest() => _queue.First?.Target.Fullest();

    private string? FirstProblem(in PullRequest request)
    {
        var config = Config;
        if (config.MaxRequestBatch > 0 && request.Batch > config.MaxRequestBatch) return $"409 Exceeded MaxRequestBatch of {config.MaxRequestBatch}";
        if (config.MaxRequestExpires > TimeSpan.Zero && request.Expires > Clock.Of(config.MaxRequestExpires))
            return $"409 Exceeded MaxRequestExpires of {GoDuration.Format(config.MaxRequestExpires)}";
        if (config.MaxRequestMaxBytes > 0 && request.MaxBytes > config.MaxRequestMaxBytes) return $"409 Exceeded MaxRequestMaxBytes of {config.MaxRequestMaxBytes}";
        if (!request.IsObject) return null;
        if ((request.MinPending != 0 || request.MinAckPending != 0) && config.PriorityPolicy != PriorityPolicy.Overflow)
            return "400 Bad Request - Not a Overflow Priority consumer";
        if (request.PinId is not null && config.PriorityPolicy != PriorityPolicy.PinnedClient) return "400 Bad Request - Not a Pinned Client Priority consumer";
        if (request.Priority is < 0 or > MaxPriority) return "400 Bad Request - Priority must be between 0 and 9";
        if (config.PriorityPolicy == PriorityPolicy.None) return null;
        if (request.Group is null) return "400 Bad Request - Priority Group missing";
        return config.PriorityGroups!.Contains(request.Group) ? null : "400 Bad Request - Invalid Priority Group";
    }

    // Scanning hundreds of requests is expensive: for a client that floods it is done at most once a second.
    private void EvictExpired(long now)
    {
        if (now < _nextEvictAt) return;
        _nextEvictAt = now + MinEvictPause;
        WakeAt = Math.Min(WakeAt, now);
        ExpireRequests(now, endOfStream: false, batch: null);
    }

    private bool CanServeNoWait(ReadOnlySpan<byte> replyTo, in PullRequest request, long now)
    {
        var available = owner.CountPending() + (ulong)owner.Tracker.RedeliveryCount;
        if (available == 0)
        {
            if (request.Expires != 0) return true;
            LastActive = now;
            return Reject(replyTo, StatusHeaders.NoMessages);
        }
        ExpireRequests(now, endOfStream: false, batch: null);
        if (_queue.Count == 0) return true;
        RemoveAbandoned();
        long asked = 0;
        for (var pull = _queue.First; pull is not null; pull = pull.Next) asked = Clock.Add(asked, pull.Request.Batch);
        if (available >= (ulong)Math.Max(asked, 0)) return true;
        LastActive = now;
        return Reject(replyTo, StatusHeaders.RequestsPending);
    }

    private void Add(ReadOnlySpan<byte> replyTo, in PullRequest request, long now)
    {
        var pull = _queue.Rent();
        pull.Target.Set(replyTo);
        pull.Request = request;
        pull.Delivered = 0;
        pull.ExpiresAt = request.Expires != 0 ? Clock.Add(now, request.Expires) : 0;
        pull.HeartbeatAt = request.Heartbeat > 0 ? Clock.Add(now, request.Heartbeat) : 0;
        UpdateWakeAt(pull);
        LastActive = now;
        if (request.NoWait) _noWaitCount++;
        if (Config.PriorityPolicy == PriorityPolicy.Prioritized) _queue.AddByPriority(pull);
        else _queue.Add(pull);
    }

    private bool Ends(WaitingRequest pull, long now, bool endOfStream, SendBatch? batch)
    {
        ref var request = ref pull.Request;
        if (pull.ExpiresAt != 0 && now >= pull.ExpiresAt)
        {
            SendStatus(pull, StatusHeaders.Write(_status, StatusHeaders.RequestTimeout, request.Batch, request.MaxBytes), batch);
            LastActive = Math.Max(LastActive, pull.ExpiresAt);
            return true;
        }
        if (endOfStream && request.NoWait && (pull.ExpiresAt == 0 || pull.Delivered > 0))
        {
            SendStatus(pull, StatusHeaders.Write(_status, StatusHeaders.NoMessages), batch);
            LastActive = Math.Max(LastActive, now);
            return true;
        }
        if (!pull.Target.HasInterest(owner.Tree)) return true;
        if (pull.HeartbeatAt != 0 && now >= pull.HeartbeatAt)
        {
            SendStatus(pull, owner.WriteHeartbeat(_status), batch);
            pull.HeartbeatAt = Clock.Add(now, request.Heartbeat);
        }
        UpdateWakeAt(pull);
        return false;
    }

    private void UpdateWakeAt(WaitingRequest pull)
    {
        if (pull.ExpiresAt != 0) WakeAt = Math.Min(WakeAt, pull.ExpiresAt);
        if (pull.HeartbeatAt != 0) WakeAt = Math.Min(WakeAt, pull.HeartbeatAt);
    }

    private bool Overflows(in PullRequest request)
    {
        if (request.MinPending <= 0 && request.MinAckPending <= 0) return true;
        return (request.MinPending > 0 && (ulong)request.MinPending <= owner.CountPending())
            || (request.MinAckPending > 0 && request.MinAckPending <= owner.Tracker.OpenCount);
    }

    private bool SkipFirst(ref int skipped)
    {
        _queue.Rotate(byPriority: false);
        return ++skipped < _queue.Count;
    }

    private void Pin(WaitingRequest pull, long now)
    {
        if (pull.Request.Group is not { } group) return;
        (PinId, _pinnedGroup) = (owner.Stream.Services.NextId(), group);
        PinnedSince = now;
        PinEndsAt = Clock.Add(now, Clock.Of(Config.PinnedTimeout));
        pull.Request.PinId = PinId;
        owner.Advisories.Pinned(group, PinId);
    }

    private void ClearPin() => (PinId, PinnedSince, PinEndsAt) = (null, 0, long.MaxValue);

    private void EndFirst(ReadOnlySpan<byte> status, SendBatch batch)
    {
        var pull = _queue.First!;
        SendStatus(pull, StatusHeaders.Write(_status, status, pull.Request.Batch, pull.Request.MaxBytes), batch);
        RemoveFirst();
    }

    private void RemoveFirst()
    {
        if (_queue.First!.Request.NoWait) _noWaitCount--;
        _queue.RemoveFirst();
    }

    private void SendStatus(WaitingRequest pull, int length, SendBatch? batch)
    {
        var status = _status.AsSpan(0, length);
        if (batch is null) owner.Queue.Add(pull.Target.Subject, status, []);
        else if (pull.Target.HasInterest(owner.Tree)) pull.Target.Deliver(pull.Target.Subject, [], status, [], owner.Queue, batch);
    }

    private bool Reject(ReadOnlySpan<byte> replyTo, string status) => Reject(replyTo, Encoding.UTF8.GetBytes(status));

    private bool Reject(ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> status)
    {
        owner.Queue.Add(replyTo, _status.AsSpan(0, StatusHeaders.Write(_status, status)), []);
        return false;
    }
}
