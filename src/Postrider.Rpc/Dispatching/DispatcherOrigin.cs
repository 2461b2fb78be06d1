using Postrider.Envelopes;

namespace Postrider.Rpc.Dispatching;

/// <summary>What comes with a call, for handlers that look at their message context.</summary>
internal static class DispatcherOrigin
{
    /// <summary>The dispatcher whose messages carry the caller's headers, its time and who it is; the same one when there is nothing of the kind.</summary>
    /// <remarks>A dispatcher of somebody else's making, a test's double for example, is left alone.</remarks>
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
