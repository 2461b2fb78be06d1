namespace Postrider.Generator.Model;

/// <summary>A call through <c>IDispatcher</c> whose message type is visible.</summary>
/// <param name="Kind">Request, Command (the overload without a result), Notification or Stream.</param>
/// <param name="Message">The message's type.</param>
/// <param name="IsSealed">Whether no other type derives from it.</param>
/// <param name="Response">The response or item type; empty if there is none.</param>
/// <param name="Location">The arguments of the attribute that names the call.</param>
internal sealed record CallSiteModel(MessageKind Kind, string Message, bool IsSealed, string Response, string Location);
