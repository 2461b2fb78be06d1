// Hot path: RemoteNotificationStep, RemoteHandler -> this -> MessageProperties. Allocations: the trace parent where there is a trace.
using System.Diagnostics;
using Postrider.Envelopes;
using Postrider.Middleware;
using Postrider.Serialization;

namespace Postrider.Transports;

/// <summary>Properties of a message that is sent along a route.</summary>
internal static class OutgoingProperties
{
    /// <summary>Opens the sender of a route.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the transport does not support them.</exception>
    internal static MessageSender Open(ITransport transport, SendTarget target, Type message, Type? response)
    {
        AbilityCheck.Route(transport, target, message, response);
        var sender = transport.OpenSender(target);
        AbilityCheck.Delay(sender, target, message);
        return EnvelopeFormats.Of(transport, target, message) is { } format ? new FormatSender(transport, sender, format) : sender;
    }

    /// <summary>Sends a message with the scope of its call, if the sender needs it.</summary>
    /// <param name="sender">The sender.</param>
    /// <param name="scoped">The same one, if it needs the scope; otherwise null.</param>
    /// <param name="properties">The message's properties.</param>
    /// <param name="body">Its body.</param>
    /// <param name="state">The context or the origin of the call; null for neither.</param>
    /// <param name="ct">Cancels the send.</param>
    internal static ValueTask SendAsync(MessageSender sender, ScopedMessageSender? scoped, in MessageProperties properties, ReadOnlyMemory<byte> body, object? state, CancellationToken ct)
        => scoped is null ? sender.SendAsync(in properties, body, ct) : scoped.SendAsync(in properties, body, ServicesOf(state), ct);

    /// <summary>Collects the properties of a message.</summary>
    /// <param name="message">The message.</param>
    /// <param name="contentType">The media type of its body.</param>
    /// <param name="state">The context or the origin of the call; null for neither.</param>
    /// <param name="target">The target of the route.</param>
    internal static MessageProperties Of<TMessage>(TMessage message, string contentType, object? state, SendTarget target)
    {
        var context = state as MessageContext;
        var origin = context?.Origin ?? state as CallOrigin;
        var activity = Activity.Current is { IdFormat: ActivityIdFormat.W3C } current ? current : null;
        // If the handler knows the message's id, it is text already.
        var begun = context is null
            ? new MessageProperties(MessageIds.NextNumber(), origin?.CorrelationId)
            : new() { MessageId = context.MessageId, CorrelationId = context.CorrelationId };
        return begun with
        {
            ContentType = contentType,
            CausationId = origin?.CausationId,
            Type = TypeName<TMessage>.Value,
            Key = (message as IKeyed)?.Key,
            IdempotencyKey = (message as IIdempotent)?.IdempotencyKey,
            Deadline = origin?.Deadline,
            ExpiresAt = target.TimeToLive is { } life ? TimeProvider.System.GetUtcNow() + life : null,
            Delay = target.Delay,
            TraceParent = activity?.Id,
            Headers = WithBaggage(Postrider.Headers.Join(target.Headers, origin?.OutgoingHeaders), activity),
            TraceState = activity?.TraceStateString is { Length: > 0 } traceState ? traceState : null,
        };
    }

    // A copy, because the headers of a route are shared.
    private static Headers? WithBaggage(Headers? headers, Activity? activity)
    {
        if (activity is null || !activity.Baggage.Any())
            return headers;
        var all = Postrider.Headers.Merge(headers, []);
        ActivityBaggage.AddTo(all, activity);
        return all;
    }

    private static IServiceProvider? ServicesOf(object? state) => state switch
    {
        MessageContext context => context.Services,
        CallOrigin origin => origin.Services,
        _ => null,
    };

    // The runtime looks the name up each time.
    private static class TypeName<TMessage>
    {
        internal static readonly string? Value = typeof(TMessage).FullName;
    }
}
