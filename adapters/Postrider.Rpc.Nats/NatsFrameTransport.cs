using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using Postrider.Client;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Nats;

/// <summary>Exchanges frames between two NATS inboxes. Each side publishes numbered messages to the other's inbox, so that a lost message
/// is detected and ends the transport.</summary>
/// <remarks>NATS does not report a lost peer: each side announces its end and sends keep-alive messages while idle.</remarks>
internal sealed class NatsFrameTransport : BufferedFrameTransport
{
    // Below the default maximum payload of servers (1 MiB), with room for headers.
    private const int MaxBytes = 512 * 1024;

    private readonly NatsClient _client;
    private readonly TimeProvider _time;
    private readonly TimeSpan _silence;
    private readonly NatsSubscription _subscription;
    private readonly ITimer _timer;
    private string? _target;
    private long _sent;
    private long _received;
    private long _heard;
    private int _isClosed;

    /// <summary>Subscribes to a new inbox.</summary>
    /// <param name="client">A connected client; not owned.</param>
    /// <param name="time">The clock of <paramref name="silence"/>.</param>
    /// <param name="silence">The time without a message after which the other side is considered lost.</param>
    /// <param name="maxWaitingBytes">The limit of unread bytes.</param>
    public NatsFrameTransport(NatsClient client, TimeProvider time, TimeSpan silence, long maxWaitingBytes)
        : base(maxWaitingBytes)
    {
        (_client, _time, _silence, _heard) = (client, time, silence, time.GetTimestamp());
        Inbox = client.NewInbox();
        _subscription = client.SubscribeRaw(Inbox + ".*", OnMessage);
        _timer = time.CreateTimer(static state => ((NatsFrameTransport)state!).Look(), this, silence / 3, silence / 3);
    }

    /// <summary>The subject prefix to which the peer publishes; the message number is appended.</summary>
    public string Inbox { get; }

    public override string Peer => _target ?? "";

    /// <summary>Sets the peer's inbox.</summary>
    public void Aim(string inbox) => Volatile.Write(ref _target, inbox);

    public override bool Send(byte[] buffer, int offset, int count)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _isClosed) != 0, this);
        Sent = Math.Min(count, MaxBytes);
        var publishing = PublishAsync((++_sent).ToString(CultureInfo.InvariantCulture), buffer.AsMemory(offset, Sent));
        if (publishing.IsCompletedSuccessfully)
            return false;
        _ = AwaitAsync(publishing);
        return true;
    }

    public override void Dispose()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) != 0)
            return;
        _timer.Dispose();
        base.Dispose();
        _ = LeaveAsync();
    }

    private ValueTask PublishAsync(string token, ReadOnlyMemory<byte> bytes)
        => _client.PublishAsync($"{_target}.{token}", bytes);

    private async Task AwaitAsync(ValueTask publishing)
    {
        try
        {
            await publishing.ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            SendFailure = failure;
        }

        OnSent();
    }

    private async Task LeaveAsync()
    {
        await _subscription.DisposeAsync().ConfigureAwait(false);
        try
        {
            if (_target is not null)
                await PublishAsync("end", default).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // The client is closed or offline: the other side notices the silence.
        }
    }

    // Called on the client's receiving thread.
    private void OnMessage(RawMessage message)
    {
        Volatile.Write(ref _heard, _time.GetTimestamp());
        var token = message.Subject[(Inbox.Length + 1)..];
        if (Utf8Parser.TryParse(token, out long number, out var length) && length == token.Length)
            OnMessage(number, message.Payload);
        else if (token.SequenceEqual("end"u8))
            End(null);
    }

    private void OnMessage(long number, ReadOnlySpan<byte> payload)
    {
        if (number != ++_received)
            End(new RpcException(RpcStatus.Unavailable, $"Message {_received} of the stream was lost: received message {number}."));
        else if (!TryFeed(new ReadOnlySequence<byte>(payload.ToArray())))
            End(new RpcException(RpcStatus.TooLarge, "The peer exceeded the receive limit."));
    }

    private void Look()
    {
        if (_time.GetElapsedTime(Volatile.Read(ref _heard)) > _silence)
            End(new RpcException(RpcStatus.Unavailable, $"No message from the peer for {_silence.TotalSeconds} s."));
        else if (Volatile.Read(ref _target) is not null)
            _ = SayAliveAsync();
    }

    private async Task SayAliveAsync()
    {
        try
        {
            await PublishAsync("alive", default).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // As for the end message.
        }
    }
}
