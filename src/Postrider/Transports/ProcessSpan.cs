using System.Diagnostics;
using Postrider.Diagnostics;
using Postrider.Envelopes;
using Postrider.Serialization;

namespace Postrider.Transports;

/// <summary>The span around the handling of a received message.</summary>
/// <remarks>Source: OpenTelemetry messaging conventions, spans of the kind consumer.</remarks>
internal static class ProcessSpan
{
    /// <summary>Whether anybody listens.</summary>
    internal static bool IsListenedTo => DispatchTelemetry.Source.HasListeners();

    /// <summary>Handles a message within the span, which is a child of the sender's; without one if the client of the transport has started one.</summary>
    /// <param name="transport">The name of the transport.</param>
    /// <param name="envelope">The message.</param>
    /// <param name="handle">Handles it.</param>
    internal static async ValueTask<T> AroundAsync<T>(string transport, Envelope envelope, Func<ValueTask<T>> handle)
    {
        using var span = Start(transport, envelope);
        try
        {
            return await handle().ConfigureAwait(false);
        }
        catch (Exception error)
        {
            if (span is not null)
                Fail(span, error);
            throw;
        }
    }

    /// <summary>Marks the current span as failed: the transport's code does not see an exception that became a reply or a retry.</summary>
    internal static void Fail(Exception failure)
    {
        if (Activity.Current is { Kind: ActivityKind.Consumer, Status: ActivityStatusCode.Unset } span)
            Fail(span, failure);
    }

    private static Activity? Start(string transport, Envelope envelope)
    {
        var headers = envelope.Headers;
        var isSent = ActivityContext.TryParse(headers[HeaderNames.TraceParent], headers[HeaderNames.TraceState], isRemote: true, out var sender);
        // The client's; the span of another message, whose handler has sent this one, is the parent.
        if (isSent && Activity.Current is { Kind: ActivityKind.Consumer } current && current.TraceId == sender.TraceId && current.ParentSpanId == sender.SpanId)
            return null;
        var span = DispatchTelemetry.Source.StartActivity("process " + envelope.Destination, ActivityKind.Consumer, isSent ? sender : default);
        if (span is null)
            return null;
        ActivityBaggage.Read(headers, span);
        if (!span.IsAllDataRequested)
            return span;
        return span.SetTag("messaging.system", transport)
            .SetTag("messaging.operation.name", "process")
            .SetTag("messaging.operation.type", "process")
            .SetTag("messaging.destination.name", envelope.Destination)
            .SetTag("messaging.message.id", headers[HeaderNames.MessageId])
            .SetTag("messaging.message.conversation_id", headers[HeaderNames.CorrelationId]);
    }

    private static void Fail(Activity span, Exception failure)
        => span.SetStatus(ActivityStatusCode.Error, failure.Message).SetTag("error.type", failure.GetType().FullName);
}
