namespace Postrider.Dispatch;

/// <summary>The entry of one message type in the handler map.</summary>
/// <param name="Message">The type's name.</param>
/// <param name="Kind">request, command, notification or stream.</param>
/// <param name="Response">The response's or item's type name; empty if there is none.</param>
/// <param name="Handlers">The handlers in the order they run.</param>
/// <param name="Middleware">The middleware from the outermost to the innermost.</param>
/// <param name="Needs">The objects created for each call.</param>
/// <param name="Lifetime">The handler's lifetime.</param>
public sealed record MessageDescription(
    string Message,
    string Kind,
    string Response,
    IReadOnlyList<string> Handlers,
    IReadOnlyList<string> Middleware,
    PipelineNeeds Needs,
    HandlerLifetime Lifetime);
