// Hot path: ServerConnection -> this -> PendingReply. Allocations: none.
using System.Text;
using Postrider.Client.Sessions;
using Postrider.Wire.Frames;

namespace Postrider.Client.Requests;

/// <summary>The one subscription for all replies: <c>prefix.nuid.*</c>; the last token identifies the request.</summary>
internal sealed class ReplyInbox : NatsSubscription
{
    private readonly ReplySlots _slots;
    private readonly byte[] _prefix;

    public ReplyInbox(NatsSession session, string prefix, ReplySlots slots)
        : base(session, $"{prefix}.*", new SubscriptionOptions())
    {
        _slots = slots;
        _prefix = Encoding.UTF8.GetBytes($"{prefix}.");
    }

    public override long DroppedMessages => 0;

    public override int PendingMessages => 0;

    /// <summary>The part before a request's token, in UTF-8.</summary>
    public ReadOnlySpan<byte> Prefix => _prefix;

    internal override Task Handled => Task.CompletedTask;

    private protected override void Deliver(in Frame frame, ServerConnection connection)
    {
        var subject = frame.Subject;
        if (subject.Length <= _prefix.Length) return;
        long token = 0;
        foreach (var digit in subject[_prefix.Length..])
        {
            var value = digit - '0';
            if ((uint)value > 9) return;
            token = (token * 10) + value;
        }
        _slots.Take(token)?.Complete(in frame, Session);
    }

    private protected override void Ended(NatsClientException? error)
    {
        if (error is null) return;
        // A user that may not subscribe to inboxes gets no replies at all.
        foreach (var pending in _slots.TakeWhere(static _ => true)) pending.Fail(error);
    }
}
