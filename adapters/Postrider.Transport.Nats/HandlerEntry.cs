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

    internal static HandlerEntry Of(MessageDescription message) => new()
    {
        Message = message.Message,
        Kind = message.Kind,
        Response = message.Response,
        Handlers = message.Handlers,
        Middleware = message.Middleware,
        Lifetime = message.Lifetime.ToString(),
    };
}
