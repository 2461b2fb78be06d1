// Hot path: ServerConnection -> this -> JetStreamPublisher. Allocations: none.
using System.Buffers.Text;
using System.Text;
using Postrider.Client.Sessions;
using Postrider.Wire.Frames;

namespace Postrider.Client.JetStream.Publishing;

/// <summary>The one subscription for a publisher's acknowledgements: <c>prefix.nuid.*</c>; the last token identifies the publish.</summary>
internal sealed class AckInbox : NatsSubscription
{
    public delegate void Handler(long token, in Frame frame);

    // A token has at most 19 digits.
    private const int MaxTokenBytes = 20;

    private readonly Handler _onReply;
    private readonly Action<NatsClientException?> _onEnded;
    private readonly byte[] _prefix;

    public AckInbox(NatsSession session, string prefix, Handler onReply, Action<NatsClientException?> onEnded)
        : base(session, $"{prefix}.*", new SubscriptionOptions())
    {
        _onReply = onReply;
        _onEnded = onEnded;
        _prefix = Encoding.UTF8.GetBytes($"{prefix}.");
    }

    public override long DroppedMessages => 0;

    public override int PendingMessages => 0;

    public int MaxReplyBytes => _prefix.Length + MaxTokenBytes;

    internal override Task Handled => Task.CompletedTask;

    /// <summary>Writes the reply subject of a token.</summary>
    /// <param name="token">The token.</param>
    /// <param name="target">At least <see cref="MaxReplyBytes"/> bytes.</param>
    /// <returns>The part that was written.</returns>
    public ReadOnlySpan<byte> WriteReply(long token, Span<byte> target)
    {
        _prefix.CopyTo(target);
        Utf8Formatter.TryFormat(token, target[_prefix.Length..], out var digits);
        return target[..(_prefix.Length + digits)];
    }

    private protected override void Deliver(in Frame frame, ServerConnection connection)
    {
        var subject = frame.Subject;
        if (subject.Length <= _prefix.Length || !Utf8Parser.TryParse(subject[_prefix.Length..], out long token, out _)) return;
        _onReply(token, in frame);
    }

    private protected override void Ended(NatsClientException? error) => _onEnded(error);
}
