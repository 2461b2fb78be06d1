namespace Postrider.Dispatch;

/// <summary>A route in the route table.</summary>
/// <param name="Message">The message type's name.</param>
/// <param name="Kind">request, command, notification or stream.</param>
/// <param name="Transport">The name with which the transport was added; empty for one that the options found themselves.</param>
/// <param name="Destination">The destination of the handler, in the format of the transport.</param>
/// <param name="TimeToLive">The time to live of a message; null for no expiry.</param>
/// <param name="Delay">How long the transport keeps a message before it delivers it.</param>
/// <param name="Source">Where the route was declared: a method of the options, an attribute, or a key of the configuration.</param>
public sealed record RouteDescription(
    string Message, string Kind, string Transport, string Destination, TimeSpan? TimeToLive, TimeSpan Delay, string Source);
