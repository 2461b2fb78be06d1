// Hot path: ServerConnection -> this -> the caller's handler. Allocations: none.
using Postrider.Wire.Frames;

namespace Postrider.Client.Sessions;

/// <summary>A handler on the receiving thread.</summary>
internal sealed class RawSubscription(NatsSession session, string subject, SubscriptionOptions options, RawMessageHandler handler)
    : NatsSubscription(session, subject, options)
{
    public override long DroppedMessages => 0;

    public override int PendingMessages => 0;

    internal override Task Handled => Task.CompletedTask;

    private protected override void Deliver(in Frame frame, ServerConnection connection)
    {
        try
        {
            handler(new RawMessage(in frame, connection));
        }
        catch (Exception error)
        {
            Session.Events.Tell(new ClientEvent(ClientEventKind.HandlerFailed, Subject: Subject, Error: error));
        }
    }

    private protected override void Ended(NatsClientException? error)
    {
        // Rejections are reported by the client's events; there is no reader to inform.
    }
}
