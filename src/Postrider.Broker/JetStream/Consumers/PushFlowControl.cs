// Hot path: Consumer -> this, per delivery. Allocations: none.
using System.Text;
using Postrider.Broker.JetStream.Consumers.Delivery;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>The flow control of a push consumer: interest in its deliver subject and the bytes in flight.</summary>
/// <remarks>Guarded by the stream's lock. Times in nanoseconds since 1970. Source: nats-server's flow control.</remarks>
internal sealed class PushFlowControl
{
    // The window in bytes: it begins with a sixteenth of this and doubles with every response.
    private const int MaxWindowBytes = 32 * 1024 * 1024;
    private const int FirstWindowBytes = MaxWindowBytes / 16;
    private const string Letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private const int IdLetters = 4;

    private readonly Consumer _owner;
    private readonly byte[] _status = new byte[1024];
    private byte[] _group = [];
    private long _windowBytes;
    private long _inFlightBytes;
    private long _requestedAtBytes;
    private byte[]? _pendingReply;

    public PushFlowControl(Consumer owner, ConsumerConfig config)
    {
        _owner = owner;
        Apply(config);
        _windowBytes = config.FlowControl ? FirstWindowBytes : 0;
    }

    /// <summary>Where messages are delivered.</summary>
    public DeliveryTarget Target { get; } = new();

    /// <summary>Whether the deliver subject had interest at the last check.</summary>
    public bool IsActive { get; private set; }

    /// <summary>When something was last sent.</summary>
    public long LastSent { get; set; }

    /// <summary>Whether the client has to respond before more is sent.</summary>
    public bool IsStalled => _windowBytes > 0 && _inFlightBytes > _windowBytes;

    /// <summary>The reply subject of the flow control message without response, or empty.</summary>
    public ReadOnlySpan<byte> PendingReply => _pendingReply;

    /// <summary>Looks up the interest in the deliver subject, of the deliver group if there is one.</summary>
    /// <returns>Whether it changed.</returns>
    public bool CheckInterest()
    {
        var isActive = Target.HasInterest(_owner.Tree) && Target.HasSubscriberIn(_group);
        var changed = isActive != IsActive;
        IsActive = isActive;
        return changed;
    }

    /// <summary>Applies the settings that can change.</summary>
    public void Apply(ConsumerConfig config)
    {
        Target.Set(Encoding.UTF8.GetBytes(config.DeliverSubject!));
        _group = Encoding.UTF8.GetBytes(config.DeliverGroup ?? "");
    }

    /// <summary>Records that bytes were sent.</summary>
    public void OnSent(int bytes, long now, SendBatch batch)
    {
        LastSent = now;
        if (_windowBytes == 0) return;
        _inFlightBytes += bytes;
        if (_pendingReply is null)
        {
            if (_inFlightBytes > _windowBytes / 2 || (_owner.Config.AckPolicy == AckPolicy.FlowControl && _owner.Tracker.IsFull)) RequestFlowControl(batch);
        }
        else if (_inFlightBytes - _requestedAtBytes >= _windowBytes)
        {
            _requestedAtBytes += bytes;
        }
    }

    /// <summary>Handles a client's response.</summary>
    /// <returns>False when it does not respond to the last flow control message.</returns>
    public bool OnReply(ReadOnlySpan<byte> subject)
    {
        if (_pendingReply is null || !subject.SequenceEqual(_pendingReply)) return false;
        _windowBytes = Math.Min(_windowBytes * 2, MaxWindowBytes);
        _inFlightBytes = Math.Max(0, _inFlightBytes - _requestedAtBytes);
        (_pendingReply, _requestedAtBytes) = (null, 0);
        return true;
    }

    /// <summary>Sends a heartbeat, with a flow control request if acknowledgements depend on its response.</summary>
    public void SendHeartbeat(long now, SendBatch batch)
    {
        LastSent = now;
        if (!IsActive) return;
        var length = _owner.WriteHeartbeat(_status);
        Target.Deliver(Target.Subject, [], _status.AsSpan(0, length), [], _owner.Queue, batch);
        if (_owner.Config.AckPolicy == AckPolicy.FlowControl && _owner.Tracker.OpenCount > 0 && _pendingReply is null) RequestFlowControl(batch);
    }

    private void RequestFlowControl(SendBatch batch)
    {
        var id = _owner.Stream.Services.Random.GetString(Letters, IdLetters);
        _pendingReply = Encoding.UTF8.GetBytes($"$JS.FC.{_owner.Stream.Name}.{_owner.Name}.{id}");
        _requestedAtBytes = _inFlightBytes;
        var length = StatusHeaders.Write(_status, StatusHeaders.FlowControl);
        Target.Deliver(Target.Subject, _pendingReply, _status.AsSpan(0, length), [], _owner.Queue, batch);
    }
}
