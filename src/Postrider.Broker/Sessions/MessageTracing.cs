using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Broker.Tracing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>Begins traces of messages and publishes them.</summary>
/// <remarks>Source: NATS ADR-41; nats-server, message tracing.</remarks>
internal static class MessageTracing
{
    private static readonly JsonWriterOptions JsonOptions = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Begins the trace of a message whose headers ask for one.</summary>
    /// <param name="context">The broker's context.</param>
    /// <param name="account">The account that the message is published in.</param>
    /// <param name="source">The connection that received it.</param>
    /// <param name="request">The trace request in its headers.</param>
    /// <param name="subject">The published subject.</param>
    /// <param name="messageBytes">The bytes of headers and payload.</param>
    /// <param name="random">Chooses samples.</param>
    /// <param name="trace">The trace, if there is one. The caller has to check whether the connection may publish to its destination.</param>
    /// <returns>How to handle the message.</returns>
    public static TraceDecision Begin(
        SessionContext context,
        Account account,
        TraceConnection source,
        TraceRequest request,
        ReadOnlySpan<byte> subject,
        int messageBytes,
        Random random,
        out MessageTrace? trace)
    {
        trace = null;
        var destination = request.Destination;
        if (request.HasOriginAccount) return request.Only ? TraceDecision.Drop : TraceDecision.Disable;
        if (request.IsExternal)
        {
            if (account.Definition.MessageTrace is not { } options) return TraceDecision.Ignore;
            // The first server decides for all servers.
            if (source.Kind == TraceConnection.Client && options.SamplingPercent < 100 && random.Next(100) >= options.SamplingPercent) return TraceDecision.Disable;
            destination = options.Destination;
        }
        var bytes = Encoding.UTF8.GetBytes(destination ?? "");
        if (!Subject.IsLiteral(bytes))
        {
            if (SessionLog.MayReport(context, account)) SessionLog.Problem(context.Logger, "trace", $"Destination {GoQuote.Quote(destination ?? "")} is not valid, won't be able to trace events");
            return request.Only ? TraceDecision.Drop : TraceDecision.Ignore;
        }
        trace = new MessageTrace(request, bytes, source, account.Name, subject, messageBytes, context.Time);
        return TraceDecision.Trace;
    }

    /// <summary>Publishes a trace in the account that its message was published in.</summary>
    /// <param name="context">The broker's context.</param>
    /// <param name="account">The account.</param>
    /// <param name="trace">The trace; null does nothing.</param>
    /// <param name="batch">The batch of the message.</param>
    public static void Send(SessionContext context, Account account, MessageTrace? trace, SendBatch batch)
    {
        if (trace is null) return;
        var text = new ArrayBufferWriter<byte>(1024);
        using (var json = new Utf8JsonWriter(text, JsonOptions))
        {
            json.WriteStartObject();
            ServerJson.Write(json, context);
            trace.WriteMembers(json);
            json.WriteEndObject();
        }
        var (headers, payload) = ResponseEncoding.Encode(trace.AcceptedEncodings, text.WrittenSpan);
        InternalPublisher.Publish(account.Subscriptions, trace.Destination, trace.Destination, [], headers, payload, batch);
    }
}
