using Postrider.Dispatch;

namespace Postrider.Transport.Nats;

/// <summary>A message type of a container as JSON.</summary>
internal sealed record HandlerEntry
{
    public required string Message { get; init; }

    public required string Kind { get; init; }

    public required string Response { get; init; }

    public required IReadOnlyList<string> Handlers { get; init; }

    public required IReadOnlyList<string> Middleware { get; init; }

    public required string Lifetime { get; init; }

    /// <summary>The transport of the route; empty for none.</summary>
    public required string Transport { get; init; }

    /// <summary>The destination of the route; empty for none.</summary>
    public required string Destination { get; init; }

    /// <summary>Where the message goes and why, as text; empty if the routes are not shown.</summary>
    public required string Why { get; init; }

    internal static HandlerEntry Of(MessageDescription message, RouteDescription? route, string why) => new()
    {
        Message = message.Message,
        Kind = message.Kind,
        Response = message.Response,
        Handlers = message.Handlers,
        Middleware = message.Middleware,
        Lifetime = message.Lifetime.ToString(),
        Transport = route?.Transport ?? "",
        Destination = route?.Destination ?? "",
        Why = why,
    };
}
