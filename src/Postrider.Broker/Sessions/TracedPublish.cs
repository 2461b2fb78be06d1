using Postrider.Broker.Routing;
using Postrider.Broker.Tracing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>Publishes a client's message whose headers ask for a trace.</summary>
/// <remarks>Thread-safe: no state.</remarks>
internal sealed class TracedPublish : IMessageTracer
{
    /// <inheritdoc/>
    public bool TryPublish(IPublishingClient client, scoped in Frame frame, SendBatch batch)
    {
        var session = (ClientSession)client;
        if (TraceRequest.Read(frame.Headers) is not { } request) return false;
        var (context, account) = (session.Context, session.State.Account);
        var source = new TraceConnection(TraceConnection.Client, session.Id, session.State.Connect?.Name);
        var decision = MessageTracing.Begin(context, account, source, request, frame.Subject, frame.TotalBytes, batch.Random, out var trace);
        if (decision == TraceDecision.Ignore) return false;
        batch.CountCall();
        if (context.Trace is { } log) log.InMessage(session.Name, frame.Bytes);
        if (decision == TraceDecision.Drop || (trace is not null && !PublishAuthorization.AllowTraces(session, trace.Destination, batch))) return true;
        var headers = trace is null ? TraceRequest.Disable(frame.Headers) : frame.Headers;
        Publish(session, frame.Subject, frame.ReplyTo, headers, frame.Payload, trace, batch);
        MessageTracing.Send(context, account, trace, batch);
        return true;
    }

    /// <inheritdoc/>
    public void TraceOversized(IPublishingClient client, ReadOnlySpan<byte> bytes, SendBatch batch) => OversizeTrace.Publish((ClientSession)client, bytes, batch);

    private static void Publish(
        ClientSession session, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, MessageTrace? trace, SendBatch batch)
    {
        var state = session.State;
        if (state.Account.Mappings?.Map(subject, batch.Random) is { } mapped)
        {
            trace?.AddMapping(mapped);
            if (mapped.Length == 0)
            {
                PublishAuthorization.Lose(session, replyTo, trace, batch);
                return;
            }
            subject = mapped;
        }
        if (!PublishAuthorization.Allow(session, subject, replyTo, trace, batch)) return;
        var message = new CrossAccountMessage(subject, [], replyTo, headers, payload, trace);
        var endsAtImport = trace is not null && state.Account.SystemImports?.TryNote(trace, subject) == true && trace.IsOnly;
        var reached = TracedRouter.Publish(state.Account.Subscriptions, in message, TraceOrigin.Client, session, batch);
        if (reached || !state.NoResponders || replyTo.IsEmpty) return;
        if (endsAtImport) PublishAuthorization.ReplyNobody(session, subject, replyTo, batch);
        else PublishAuthorization.ReplyNoResponders(session, subject, replyTo, batch);
    }
}
