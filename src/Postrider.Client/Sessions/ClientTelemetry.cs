namespace Postrider.Client;

/// <summary>The activity source and meter of the client, both named <c>Postrider.Client</c>.</summary>
/// <remarks>Activities follow OpenTelemetry's messaging conventions: <c>publish SUBJECT</c>, <c>process SUBJECT</c>. The instruments are
/// <c>messaging.client.sent.messages</c>, <c>messaging.client.consumed.messages</c>, <c>messaging.client.operation.duration</c>, and
/// <c>postrider.client.sent.bytes</c>, <c>.received.bytes</c>, <c>.dropped.messages</c> and <c>.reconnects</c>.</remarks>
public static class ClientTelemetry
{
    /// <summary>The name of the source and of the meter.</summary>
    public const string Name = "Postrider.Client";
}
