using Amqp;
using Amqp.Framing;
using Amqp.Types;

namespace Postrider.TransportTests.ServiceBus.StandIn;

/// <summary>A queue, a subscription or a dead-letter queue.</summary>
/// <remarks>All of it is guarded by the stand-in's lock.</remarks>
internal sealed class StandInEntity(ServiceBusStandIn owner, string path, StandInSettings settings)
{
    private readonly List<StandInMessage> _messages = [];
    private readonly List<SourceEndpoint> _receivers = [];
    private readonly Dictionary<string, (SourceEndpoint Holder, DateTimeOffset Until)> _sessions = new(StringComparer.Ordinal);
    private readonly HashSet<string> _ids = new(StringComparer.Ordinal);
    private long _sequence;
    private DateTimeOffset _pumpedAt;

    public string Path => path;

    public StandInSettings Settings => settings;

    public StandInEntity? DeadLetters { get; init; }

    public int Count => _messages.Count;

    /// <summary>Attaches of clients that wait for any session.</summary>
    public List<WaitingAttach> Waiting { get; } = [];

    /// <summary>Refuses what the service would refuse.</summary>
    public void Check(Message message)
    {
        if (settings.RequiresSession && message.Properties?.GroupId is null)
            throw new AmqpException(ErrorCode.NotAllowed, $"The entity '{path}' requires sessions and the message has no session id.");
        if (_messages.Count >= settings.MaxMessages)
            throw new AmqpException(ErrorCode.ResourceLimitExceeded, $"The maximum entity size of '{path}' has been reached.");
        if (message.ApplicationProperties?.Map.ContainsKey("refuse") == true)
            throw new AmqpException("com.microsoft:argument-error", "The message has the property 'refuse'.");
    }

    public long Add(Message message)
    {
        if (settings.DetectsDuplicates && message.Properties?.GetMessageId() is { } id && !_ids.Add(id.ToString()!))
            return 0;
        var stored = new StandInMessage(++_sequence, message, owner.Now);
        _messages.Add(stored);
        return stored.Sequence;
    }

    public bool Cancel(long sequence) => _messages.RemoveAll(message => message.Sequence == sequence && message.Due > owner.Now) > 0;

    public IEnumerable<StandInMessage> Peek(long from, string? session)
        => _messages.Where(message => message.Sequence >= from && (session is null || message.Session == session)).OrderBy(static message => message.Sequence);

    public void Attach(SourceEndpoint receiver)
    {
        _receivers.Add(receiver);
        if (receiver.Session is { } session)
            _sessions[session] = (receiver, owner.Now + settings.LockDuration);
    }

    /// <summary>A link is gone. The locks of its messages go on until they end, except for those of a session.</summary>
    public void Detach(SourceEndpoint receiver)
    {
        _receivers.Remove(receiver);
        if (receiver.Session is { } session && _sessions.TryGetValue(session, out var held) && held.Holder == receiver)
            FreeSession(session);
    }

    /// <summary>A session that nobody holds and that has messages; null for none.</summary>
    public string? FreeSession() => _messages.Where(message => message.Session is { } session && !_sessions.ContainsKey(session) && message.Due <= owner.Now).Select(static message => message.Session).FirstOrDefault();

    public bool IsHeld(string session) => _sessions.ContainsKey(session);

    public DateTimeOffset SessionUntil(string session) => _sessions[session].Until;

    public DateTimeOffset RenewSession(string session)
    {
        if (!_sessions.TryGetValue(session, out var held))
            throw new AmqpException("com.microsoft:session-lock-lost", "The session lock has expired.");
        _sessions[session] = held with { Until = owner.Now + settings.LockDuration };
        return _sessions[session].Until;
    }

    public DateTimeOffset Renew(Guid token)
    {
        if (_messages.Find(message => message.Lock == token) is not { } locked)
            throw new AmqpException("com.microsoft:message-lock-lost", "The lock supplied is invalid. Either the lock expired, or the message has already been removed from the queue.");
        owner.Renewals++;
        return locked.LockedUntil = owner.Now + settings.LockDuration;
    }

    /// <summary>Carries out a disposition.</summary>
    /// <returns>An error if the lock has ended; otherwise null.</returns>
    public Error? Settle(Guid token, DeliveryState? state)
    {
        if (_messages.Find(message => message.Lock == token) is not { } message)
            return new Error("com.microsoft:message-lock-lost") { Description = "The lock supplied is invalid." };
        message.Lock = null;
        owner.Settled[state?.GetType().Name ?? "none"] = owner.Settled.GetValueOrDefault(state?.GetType().Name ?? "none") + 1;
        switch (state)
        {
            case Accepted:
                _messages.Remove(message);
                break;
            case Rejected rejected:
                message.Modify(rejected.Error?.Info);
                ToDeadLetters(message, null);
                break;
            case Modified { UndeliverableHere: false } modified:
                message.Modify(modified.MessageAnnotations);
                Failed(message);
                break;
        }

        return null;
    }

    /// <summary>Ends what has ended by the clock, and delivers what can be delivered.</summary>
    public void Pump()
    {
        _pumpedAt = owner.Now;
        foreach (var (session, held) in _sessions.ToArray())
        {
            if (held.Until <= owner.Now)
            {
                FreeSession(session);
                held.Holder.Close(new Error("com.microsoft:session-lock-lost") { Description = "The session lock has expired." });
            }
        }

        foreach (var message in _messages.ToArray())
        {
            if (message.ExpiresAt <= owner.Now && message.Lock is null)
                Expire(message);
            else if (message.Lock is not null && message.Session is null | !settings.RequiresSession && message.LockedUntil <= owner.Now)
                Failed(message);
        }

        foreach (var waiting in Waiting.ToArray())
            waiting.TryComplete();
        foreach (var message in _messages.Where(message => message.Lock is null && message.Due <= owner.Now).OrderBy(static message => message.Due).ThenBy(static message => message.Sequence).ToArray())
        {
            var receiver = _receivers.Find(receiver => receiver.Credit > 0 && (!settings.RequiresSession || receiver.Session == message.Session));
            if (receiver is null && !settings.RequiresSession)
                break;
            if (receiver is null)
                continue;
            // The next one gets the next message.
            _receivers.Remove(receiver);
            _receivers.Add(receiver);
            message.Lock = Guid.NewGuid();
            message.LockedUntil = owner.Now + settings.LockDuration;
            receiver.Deliver(message);
            if (receiver.SettlesOnSend)
                _messages.Remove(message);
        }

        foreach (var receiver in _receivers)
            receiver.EndDrain();
    }

    /// <summary>When something ends or becomes due that the last <see cref="Pump"/> did not see; that may have passed by now.</summary>
    public DateTimeOffset? Next()
    {
        var times = _messages.Select(static message => message.Lock is not null ? message.LockedUntil : message.Due)
            .Concat(_messages.Select(static message => message.ExpiresAt ?? DateTimeOffset.MaxValue))
            .Concat(_sessions.Values.Select(static held => held.Until))
            .Concat(Waiting.Select(static waiting => waiting.Until))
            .Where(time => time > _pumpedAt);
        return times.DefaultIfEmpty(DateTimeOffset.MaxValue).Min() is var next && next < DateTimeOffset.MaxValue ? next : null;
    }

    public void CloseAll(Error error)
    {
        foreach (var receiver in _receivers.ToArray())
            receiver.Close(error);
        foreach (var waiting in Waiting.ToArray())
            waiting.Fail(error);
    }

    private void FreeSession(string session)
    {
        _sessions.Remove(session);
        foreach (var message in _messages.Where(message => message.Session == session && message.Lock is not null).ToArray())
            Failed(message);
    }

    private void Failed(StandInMessage message)
    {
        message.Lock = null;
        if (++message.Deliveries >= settings.MaxDeliveryCount && DeadLetters is not null)
            ToDeadLetters(message, "MaxDeliveryCountExceeded");
    }

    private void Expire(StandInMessage message)
    {
        if (settings.KeepsExpired)
            ToDeadLetters(message, "TTLExpiredException");
        else
            _messages.Remove(message);
    }

    private void ToDeadLetters(StandInMessage message, string? reason)
    {
        if (DeadLetters is not { } target)
            return;
        _messages.Remove(message);
        if (reason is not null)
            message.Modify(new Map { ["DeadLetterReason"] = reason, ["DeadLetterErrorDescription"] = "Moved by the service." });
        message.Message.Header = new Header { Durable = true };
        target.Add(message.Message);
        target.Pump();
    }
}
