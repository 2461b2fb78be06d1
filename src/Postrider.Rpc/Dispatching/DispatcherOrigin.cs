using Postrider.Envelopes;

namespace Postrider.Rpc.Dispatching;

/// <summary>Passes the caller's data to handlers that read their message context.</summary>
internal static class DispatcherOrigin
{
    /// <summary>A dispatcher whose messages carry the caller's headers, deadline and identity; the same dispatcher if there are none.</summary>
    /// <remarks>Other implementations of the dispatcher, for example a test double, are returned unchanged.</remarks>
    public static IDispatcher For(IDispatcher dispatcher, CallContext? context)
    {
        if (context is null || (context.HeadersOrNull is null && context.Timeout is null && context.User is null) || dispatcher is not DispatcherCore target)
            return dispatcher;
        Headers? headers = null;
        foreach (var (name, value) in context.HeadersOrNull ?? [])
            (headers ??= []).Add(name, value);
        return target.From(new CallOrigin
        {
            Headers = headers,
            CorrelationId = headers?[HeaderNames.CorrelationId],
            CausationId = headers?[HeaderNames.MessageId],
            User = context.User,
            Deadline = CallTimeout.ToWire(context) is { } time ? TimeProvider.System.GetUtcNow() + time : null,
        });
    }
}
